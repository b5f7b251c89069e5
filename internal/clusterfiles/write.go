package clusterfiles

import (
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"notakto/hostkeys"
)

// ErrNotEmpty says that a directory has files already, none of which is replaced.
var ErrNotEmpty = errors.New("the directory is not empty: choose a new one with --dir")

// AuthorityKey is the file beside the folders with the key that signs the nodes' certificates.
const AuthorityKey = "ca.key"

// Names of the files in a node's folder.
const (
	settingsFile    = "notakto.toml"
	hostKeyFile     = "host_ed25519"
	secretFile      = "secret"
	certificateFile = "node.pem"
	keyFile         = "node.key"
	authorityFile   = "ca.pem"
)

// Write makes a folder for each node in dir, which is new or empty, and returns the names of the folders, in the order
// of the nodes: node1, node2, ... A server that is started in its folder with --config notakto.toml needs nothing else.
// Players connect at port: on every address, or that of the node if it is on loopback. The key of the certificates'
// authority is in dir itself, for nodes that are added later.
func Write(dir string, nodes []Node, port uint16, now time.Time) (folders []string, err error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	switch there, err := os.ReadDir(dir); {
	case err != nil:
		return nil, err
	case len(there) > 0:
		return nil, fmt.Errorf("%s: %w", dir, ErrNotEmpty)
	}
	authority, err := newAuthority(now)
	if err != nil {
		return nil, err
	}
	key, err := authority.keyPEM()
	if err != nil {
		return nil, err
	}
	if err := writeAll(dir, map[string][]byte{authorityFile: authority.certificatePEM(), AuthorityKey: key}); err != nil {
		return nil, err
	}
	secret := []byte(rand.Text() + "\n")
	for i, n := range nodes {
		folder := filepath.Join(dir, "node"+strconv.Itoa(i+1))
		if err := writeNode(folder, authority, n, now, map[string][]byte{
			settingsFile: settingsOf(nodes, i, port), secretFile: secret, authorityFile: authority.certificatePEM(),
		}); err != nil {
			return nil, err
		}
		folders = append(folders, folder)
	}
	return folders, shareHostKey(folders)
}

// writeNode makes the folder of a node, with its certificate and other files.
func writeNode(folder string, authority signed, n Node, now time.Time, files map[string][]byte) error {
	own, err := authority.certify(n, now)
	if err != nil {
		return err
	}
	files[certificateFile] = own.certificatePEM()
	if files[keyFile], err = own.keyPEM(); err != nil {
		return err
	}
	if err := os.Mkdir(folder, 0o700); err != nil {
		return err
	}
	return writeAll(folder, files)
}

// shareHostKey makes a host key in the first folder and copies it to the others.
func shareHostKey(folders []string) error {
	if _, err := hostkeys.Load(folders[0]); err != nil {
		return err
	}
	key, err := os.ReadFile(filepath.Join(folders[0], hostKeyFile))
	for _, folder := range folders[1:] {
		if err == nil {
			err = writeAll(folder, map[string][]byte{hostKeyFile: key})
		}
	}
	return err
}

// settingsOf returns the settings of node i as TOML.
func settingsOf(nodes []Node, i int, port uint16) []byte {
	own, host := nodes[i], ""
	if own.isLoopback() {
		host = own.Host
	}
	var peers []string
	for j, n := range nodes {
		if j != i {
			peers = append(peers, strconv.Quote(n.String()))
		}
	}
	var text strings.Builder
	fmt.Fprintf(&text, "# Server %d of %d of a cluster. The files are those of the directory in which it is started.\n\n",
		i+1, len(nodes))
	for _, row := range [][2]string{
		{"listen", net.JoinHostPort(host, strconv.Itoa(int(port)))}, {"data", "data"}, {"host-key", hostKeyFile},
		{"cluster-listen", own.String()}, {"cluster-secret-file", secretFile}, {"cluster-cert", certificateFile},
		{"cluster-key", keyFile}, {"cluster-ca", authorityFile},
	} {
		fmt.Fprintf(&text, "%s = %s\n", row[0], strconv.Quote(row[1]))
	}
	fmt.Fprintf(&text, "cluster-peer = [%s]\n", strings.Join(peers, ", "))
	return []byte(text.String())
}

// writeAll writes files that do not exist yet, which only their owner can read.
func writeAll(dir string, files map[string][]byte) error {
	for name, content := range files {
		f, err := os.OpenFile(filepath.Join(dir, name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if err != nil {
			return err
		}
		_, err = f.Write(content)
		if err := errors.Join(err, f.Close()); err != nil {
			return err
		}
	}
	return nil
}
