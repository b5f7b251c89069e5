package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"notakto/sshapp/command"
)

const aboutHealth = `Ask a running server whether it is ready, at its --status-listen.

It exits with 0 if so, and with 1 if not or if there is no answer, after one line that says why.
Without --status it asks the server whose settings it has: by the variables and the file.`

// healthTime is the time limit of the health command.
const healthTime = 5 * time.Second

func newHealth() *cobra.Command {
	address, live := "", false
	cmd := &cobra.Command{
		Use: "health", Short: "Ask a running server whether it is ready", Long: aboutHealth,
		Example: "notakto health --status 127.0.0.1:9464", Args: command.NoArguments,
	}
	cmd.Flags().Var(optionalOf(httpAddress, &address), "status",
		"`ADDRESS` where the server has its status; that of the settings by default")
	cmd.Flags().BoolVar(&live, "live", false, "ask only whether the process works, not whether it can record moves")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if address == "" {
			var err error
			if address, err = statusAddress(); err != nil {
				return err
			}
		}
		path := "/readyz"
		if live {
			path = "/livez"
		}
		text, err := askStatus(cmd.Context(), address, path)
		if err != nil {
			return command.RuntimeError(err)
		}
		_, err = fmt.Fprintln(cmd.OutOrStdout(), text)
		return command.RuntimeError(err)
	}
	return cmd
}

// askStatus returns the answer of a server as one line; an error if it is not that all is well.
func askStatus(ctx context.Context, address, path string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, healthTime)
	defer cancel()
	dial := func(ctx context.Context, _, _ string) (net.Conn, error) {
		if socket, ok := strings.CutPrefix(address, unixPrefix); ok {
			return new(net.Dialer).DialContext(ctx, "unix", socket)
		}
		return new(net.Dialer).DialContext(ctx, "tcp", reachable(address))
	}
	client := http.Client{Transport: &http.Transport{DialContext: dial, DisableKeepAlives: true}}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://notakto"+path, nil)
	if err != nil {
		return "", err
	}
	answer, err := client.Do(request)
	if err != nil {
		return "", fmt.Errorf("no answer from %s: %w", address, errors.Unwrap(err))
	}
	defer func() { _ = answer.Body.Close() }() // it was read
	text, err := io.ReadAll(io.LimitReader(answer.Body, 4<<10))
	line := strings.ReplaceAll(strings.TrimSpace(string(text)), "\n", "; ")
	switch {
	case err != nil:
		return "", fmt.Errorf("no whole answer from %s: %w", address, err)
	case answer.StatusCode != http.StatusOK:
		return "", fmt.Errorf("%s: %s", answer.Status, line)
	}
	return line, nil
}

// reachable returns where to connect to a server that listens on an address: one on every address is on loopback too.
func reachable(address string) string {
	host, port, err := net.SplitHostPort(address)
	if ip := net.ParseIP(host); err == nil && (host == "" || ip != nil && ip.IsUnspecified()) {
		return net.JoinHostPort("localhost", port)
	}
	return address
}
