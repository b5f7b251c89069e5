package store

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// ErrDamagedWAL says that SQLite would silently leave out commits that it has acknowledged. SQLite reads its log, the
// file with the suffix -wal, only up to the first damaged frame.
var ErrDamagedWAL = errors.New("the database's log is damaged in the middle, and what was recorded after that cannot " +
	"be read: check the disk and restore a backup; to go on with what was recorded before the damage, move this " +
	"file away and start again")

// The parts of SQLite's log: https://www.sqlite.org/fileformat2.html#walformat
const (
	walHeaderSize   = 32
	frameHeaderSize = 24
	walMagic        = 0x377f0682 // one more if checksums are of big-endian words
)

// checkWAL returns [ErrDamagedWAL] if the log of SQLite has lost an acknowledged commit. The file may be missing. After
// a crash any part of the last transaction may be missing too, because that transaction was not acknowledged. A frame
// of the next transaction proves that the commit before it was on the disk, as the next transaction began only then. A
// frame after a commit that SQLite will not read is therefore an error.
func checkWAL(path string) (err error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	in := bufio.NewReaderSize(f, 1<<20)
	header := make([]byte, walHeaderSize)
	if _, err := io.ReadFull(in, header); err != nil {
		return nil //nolint:nilerr // nothing was written yet
	}
	var words binary.ByteOrder = binary.LittleEndian
	if binary.BigEndian.Uint32(header)&1 != 0 {
		words = binary.BigEndian
	}
	size := binary.BigEndian.Uint32(header[8:])
	if size < 512 || size > 1<<16 {
		size = 4096 // the header is damaged; this is the size of a new database
	}
	salts := [8]byte(header[16:24])
	var sum walSum
	sum.add(words, header[:24])
	isWhole := sum.is(header[24:32]) && binary.BigEndian.Uint32(header)&^1 == walMagic
	isSalted := isWhole // the salts are known; else those of the first frame are taken
	frame := make([]byte, frameHeaderSize+int(size))
	hidden := false // the last frame with these salts ends a transaction that SQLite will not read
	for {
		if _, err := io.ReadFull(in, frame); err != nil {
			return nil //nolint:nilerr // the end, perhaps of a frame that was being written
		}
		if !isSalted {
			salts, isSalted = [8]byte(frame[8:16]), true
		}
		if [8]byte(frame[8:16]) != salts {
			isWhole = false // a frame that is older than the header, or damage
			continue
		}
		if hidden {
			return fmt.Errorf("%s: %w", path, ErrDamagedWAL)
		}
		if isWhole {
			sum.add(words, frame[:8])
			sum.add(words, frame[frameHeaderSize:])
			isWhole = sum.is(frame[16:24])
		}
		isCommit := binary.BigEndian.Uint32(frame[4:]) != 0 // the last frame of a transaction
		hidden = !isWhole && isCommit
	}
}

// walSum is the checksum of the header and all frames so far.
type walSum [2]uint32

func (w *walSum) add(words binary.ByteOrder, b []byte) {
	for ; len(b) >= 8; b = b[8:] {
		w[0] += words.Uint32(b) + w[1]
		w[1] += words.Uint32(b[4:]) + w[0]
	}
}

func (w *walSum) is(b []byte) bool {
	return w[0] == binary.BigEndian.Uint32(b) && w[1] == binary.BigEndian.Uint32(b[4:])
}
