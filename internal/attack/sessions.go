//go:build attack

package main

import (
	"context"
	"io"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/crypto/ssh"

	"notakto/internal/botclient"
	"notakto/internal/rig"
	"notakto/internal/wire"
	"notakto/sshapp/bot/botproto"
)

// sessionAttacks returns the attacks by the input and the output of few sessions.
func sessionAttacks() []attack {
	return []attack{
		{
			name: "unfinished", mostMemory: 10, run: (*enemy).unfinished,
			holds: "endless sequences end the session, for a second of processor time at most",
		}, {
			name: "keys-flood", mostMemory: 8, run: (*enemy).typeFast,
			holds: "10,000 keys a second take a tenth of a core at most, and their opponent is answered within 100 ms",
		}, {
			name: "unread", mostMemory: 102, run: (*enemy).unread,
			holds: "200 clients that read nothing are disconnected within 5 s after the limit, and take at most " +
				"512 KB each",
		},
	}
}

// unfinished begins pastes, keys and escape sequences and sends 32 MB without their end. The server reads 9 MB of a
// paste. After the end of the session it reads another 8 MB, for at most 10 s. The short run does not wait for that.
func (e *enemy) unfinished() error {
	heads := []string{
		"\x1b[200~", "\x1b]0;", "\x1bP", "\x1b_", "\x1b^", "\x1bX", "\x1b[", "\xc3", "\x1b[1;",
		"\x1b[200~\x1b]0;", "\x1b[M",
	}
	size, most := 32<<20, e.seconds(4, 30)
	spent := e.spent(func() {
		e.many(len(heads), len(heads), func(i int) {
			client, shell, err := e.atTable(i)
			if err != nil {
				e.fault("sit down: %v", err)
				return
			}
			defer func() { _ = client.Close() }()
			fill := strings.Repeat("a", 32<<10)
			if strings.HasPrefix(heads[i], "\x1b[") && heads[i][len(heads[i])-1] != '~' {
				fill = strings.Repeat("1;", 16<<10)
			}
			begun := time.Now()
			_, err = io.WriteString(shell, heads[i])
			for sent := 0; sent < size && err == nil && time.Since(begun) < most; sent += len(fill) {
				_, err = io.WriteString(shell, fill)
			}
			switch took := time.Since(begun); {
			case err != nil:
				e.took("closed", took)
			case took < most || e.long:
				e.fault("%q: still open after %v", heads[i], took)
			default:
				e.took("slowed down", took)
			}
		})
	})
	e.figure("%d kinds, %.2f s of processor time each", len(heads), spent.Seconds()/float64(len(heads)))
	if spent > time.Duration(len(heads))*time.Second {
		e.fault("they took %v of processor time", spent)
	}
	return nil
}

// typeFast types a megabyte as fast as the server reads, and after that 10,000 keys a second opposite an honest
// player.
func (e *enemy) typeFast() error {
	const most = 100 * time.Millisecond
	client, shell, err := e.atTable(0)
	if err != nil {
		return err
	}
	e.share("a megabyte at once", func() {
		for sent := 0; sent < 1<<20 && err == nil; sent += 30 << 10 {
			_, err = io.WriteString(shell, strings.Repeat("hljk5", 6<<10))
		}
		_ = client.Close()
	})
	opponent, client, shell, err := e.sitOpposite()
	if err != nil {
		return err
	}
	defer opponent.Close()
	defer func() { _ = client.Close() }()
	go discard(shell)
	attacked, over := context.WithTimeout(e, e.seconds(3, 30))
	defer over()
	e.share("10,000 keys a second", func() {
		go typeOn(attacked, shell)
		took, err := pings(attacked, opponent)
		e.figure("their opponent is answered after %v ms", took)
		if err != nil || took.Tail() > most {
			e.fault("the opponent's p99 is %v, %v", took.Tail(), err)
		}
	})
	return nil
}

// typeOn types a hundred keys a hundred times a second, until ctx ends.
func typeOn(ctx context.Context, shell io.Writer) {
	ticker := time.NewTicker(10 * time.Millisecond)
	defer ticker.Stop()
	for ctx.Err() == nil {
		<-ticker.C
		if _, err := io.WriteString(shell, strings.Repeat("hljk5", 20)); err != nil {
			return
		}
	}
}

// share reports the share of a core that an action uses. A spent time of up to 200 ms is no fault, because it is
// mostly the start of the first session. The limit of the short run is higher, because the use of the honest players
// is not known exactly.
func (e *enemy) share(what string, do func()) {
	begun := time.Now()
	spent := e.spent(do)
	lasted := time.Since(begun).Seconds()
	part := 100 * spent.Seconds() / lasted
	e.figure("%s: %.0f %% of a core for %.1f s", what, part, lasted)
	if most := float64(e.pick(25, 10)); spent > 200*time.Millisecond && part > most {
		e.fault("%s took %.0f %% of a core", what, part)
	}
}

// sitOpposite makes a bot open a private table and the attacker join it on the full screen.
func (e *enemy) sitOpposite() (*botclient.Client, *ssh.Client, ssh.Channel, error) {
	opponent, err := e.client(1, 501).Bot(e)
	if err != nil {
		return nil, nil, nil, err
	}
	create := botproto.Request{Do: botproto.DoCreate, Variant: "notakto/3"}
	table, err := botclient.Ask[botproto.Table](opponent, create)
	if err != nil {
		return nil, nil, nil, err
	}
	client, shell, err := e.client(1, 1).Begin(e, "xterm-256color", "join "+string(table.Code))
	if err == nil {
		_, err = botclient.Expect[botproto.Match](opponent)
	}
	return opponent, client, shell, err
}

// pings sends pings until ctx ends, and returns the times that the server took to answer.
func pings(ctx context.Context, bot *botclient.Client) (took rig.Times, err error) {
	const pause = 20 * time.Millisecond
	for n := 1; ctx.Err() == nil; n++ {
		begun := time.Now()
		if _, err = botclient.Ask[botproto.Pong](bot, botproto.Ping(n)); err != nil {
			break
		}
		took = append(took, time.Since(begun))
		<-time.After(pause)
	}
	slices.Sort(took)
	return took, err
}

// unread opens games without reading the output, and provoke makes the server write. The server must disconnect.
func (e *enemy) unread() error {
	const clients = 200
	memory := e.server.Figures().Memory
	e.server.ResetPeak()
	conns := make([]*wire.Conn, clients)
	var out atomic.Int64
	e.many(clients, 1, func(i int) {
		conn, err := e.deaf(i)
		if err != nil {
			e.fault("sit down: %v", err)
			return
		}
		conns[i] = conn
		go func() {
			provoke(conn, i)
			out.Add(1)
		}()
	})
	begun := time.Now()
	limit := e.limit() + 5*time.Second
	for out.Load() < clients && time.Since(begun) < limit {
		<-time.After(pollEvery)
	}
	took, left := time.Since(begun), clients-out.Load()
	each := float64(e.server.Figures().Peak-memory) / clients
	e.figure("%d clients, %d left after %.1f s, %.0f KB each", clients, left, took.Seconds(), each)
	if left > 0 {
		e.fault("%d are still there %v after they stopped reading", left, took.Round(time.Second))
	}
	if each > 512 {
		e.fault("each takes %.0f KB", each)
	}
	for _, conn := range conns {
		if conn != nil {
			_ = conn.Close()
		}
	}
	return nil
}

// deaf returns a client in a game that takes no output. Every third client has a tiny SSH window. The others do not
// read from the connection.
func (e *enemy) deaf(n int) (*wire.Conn, error) {
	// smallBuffer is the size of the receive buffer. With a smaller one, Linux drops packets of the server and their
	// acknowledgements when the buffer is full. A client would not learn of the disconnection.
	const smallBuffer = 16 << 10
	conn, err := e.dialLoggedIn(n, smallBuffer)
	if err != nil {
		return nil, err
	}
	window := uint32(1 << 30)
	if n%3 == 0 {
		window = uint32(n) // may be 0
	}
	if _, err = conn.Play(0, window); err != nil {
		_ = conn.Close()
		return nil, err
	}
	if n%3 == 0 { // reads, but never enlarges the window
		go func() {
			for err == nil {
				_, err = conn.Next()
			}
		}()
	}
	return conn, nil
}

// provoke changes the whole screen with window sizes and keys until the server disconnects. Every third client also
// sends a packet that the server ignores each second, as an SSH client with keepalive does.
func provoke(conn *wire.Conn, n int) {
	const tick = 100 * time.Millisecond
	for k := uint32(0); ; k++ {
		<-time.After(tick)
		packets := [][]byte{wire.Data(0, []byte([]string{"?", "x"}[k%2]))}
		if k%2 == 0 {
			packets = append(packets, wire.Request(0, "window-change", false, wire.Size(100-k%4*10, 36-k%4*3)))
		}
		if n%3 == 1 && k%10 == 0 {
			packets = append(packets, []byte{2, 0, 0, 0, 0})
		}
		for _, packet := range packets {
			if conn.Send(packet) != nil {
				return
			}
		}
	}
}
