-- One row: the lock and the clock of the log. position is that of the last row, clock the last time in microseconds.
CREATE TABLE head (
	id BIGINT PRIMARY KEY CHECK (id = 1),
	position BIGINT NOT NULL,
	clock BIGINT NOT NULL,
	version BIGINT NOT NULL
);
INSERT INTO head VALUES (1, 0, 0, 0);

-- The logs of live matches. One row holds the events that were appended together.
CREATE TABLE event (
	position BIGINT PRIMARY KEY,
	match TEXT COLLATE "C" NOT NULL,
	seq BIGINT NOT NULL,
	at BIGINT NOT NULL,
	body BYTEA NOT NULL,
	UNIQUE (match, seq)
);

-- A record for each match that accepts no more events.
CREATE TABLE archive (
	position BIGINT PRIMARY KEY,
	match TEXT COLLATE "C" NOT NULL UNIQUE,
	seq BIGINT NOT NULL,
	at BIGINT NOT NULL,
	body BYTEA NOT NULL
);

CREATE TABLE account (
	position BIGINT PRIMARY KEY,
	account TEXT COLLATE "C" NOT NULL,
	seq BIGINT NOT NULL UNIQUE,
	at BIGINT NOT NULL,
	body BYTEA NOT NULL
);

CREATE TABLE audit (
	position BIGINT PRIMARY KEY,
	command TEXT COLLATE "C" NOT NULL,
	at BIGINT NOT NULL,
	body BYTEA NOT NULL
);
CREATE INDEX audit_at ON audit (at);

-- Entries of the registry, none in SQLite. A deleted entry stays for a while, without a text.
CREATE TABLE entry (
	key TEXT COLLATE "C" PRIMARY KEY,
	position BIGINT NOT NULL UNIQUE,
	at BIGINT NOT NULL,
	body BYTEA NOT NULL
);

-- Below is what follows from finished matches. The position of a match is that of its ending event.
CREATE TABLE finished (
	position BIGINT PRIMARY KEY,
	match TEXT COLLATE "C" NOT NULL UNIQUE,
	variant TEXT COLLATE "C" NOT NULL,
	clock TEXT COLLATE "C" NOT NULL,
	private BIGINT NOT NULL,
	first TEXT COLLATE "C" NOT NULL,
	first_name TEXT COLLATE "C" NOT NULL,
	second TEXT COLLATE "C" NOT NULL,
	second_name TEXT COLLATE "C" NOT NULL,
	winner BIGINT NOT NULL,
	reason TEXT COLLATE "C" NOT NULL,
	plies BIGINT NOT NULL,
	ended BIGINT NOT NULL,
	pool BIGINT NOT NULL
);

CREATE TABLE played (
	player TEXT COLLATE "C" NOT NULL,
	position BIGINT NOT NULL,
	side BIGINT NOT NULL,
	PRIMARY KEY (player, position)
) /*WITHOUT ROWID*/;

-- Results of matches that ended while a player was away, until the player has seen them.
CREATE TABLE unseen (
	player TEXT COLLATE "C" NOT NULL,
	position BIGINT NOT NULL,
	side BIGINT NOT NULL,
	PRIMARY KEY (player, position)
) /*WITHOUT ROWID*/;

CREATE TABLE player (
	player TEXT COLLATE "C" PRIMARY KEY,
	matches BIGINT NOT NULL,
	won BIGINT NOT NULL,
	lost BIGINT NOT NULL,
	chances BIGINT NOT NULL,
	kept BIGINT NOT NULL
) /*WITHOUT ROWID*/;

CREATE TABLE pairing (
	player TEXT COLLATE "C" NOT NULL,
	opponent TEXT COLLATE "C" NOT NULL,
	matches BIGINT NOT NULL,
	won BIGINT NOT NULL,
	lost BIGINT NOT NULL,
	PRIMARY KEY (player, opponent)
) /*WITHOUT ROWID*/;

-- The standing of a player in a pool. position is that of the pair that changed it last.
CREATE TABLE rating (
	pool BIGINT NOT NULL,
	player TEXT COLLATE "C" NOT NULL,
	name TEXT COLLATE "C" NOT NULL,
	points BIGINT NOT NULL,
	deviation BIGINT NOT NULL,
	volatility BIGINT NOT NULL,
	pairs BIGINT NOT NULL,
	won BIGINT NOT NULL,
	split BIGINT NOT NULL,
	lost BIGINT NOT NULL,
	ended BIGINT NOT NULL,
	position BIGINT NOT NULL,
	PRIMARY KEY (pool, player)
) /*WITHOUT ROWID*/;
CREATE INDEX rating_position ON rating (position);

CREATE TABLE rated (
	pool BIGINT NOT NULL,
	player TEXT COLLATE "C" NOT NULL,
	position BIGINT NOT NULL,
	opponent TEXT COLLATE "C" NOT NULL,
	result BIGINT NOT NULL,
	counts BIGINT NOT NULL,
	before_points BIGINT NOT NULL,
	before_deviation BIGINT NOT NULL,
	points BIGINT NOT NULL,
	deviation BIGINT NOT NULL,
	pairs BIGINT NOT NULL,
	PRIMARY KEY (pool, player, position)
) /*WITHOUT ROWID*/;

-- How many rated pairs two players have played on a day since 1970, by UTC.
CREATE TABLE meeting (
	pool BIGINT NOT NULL,
	player TEXT COLLATE "C" NOT NULL,
	opponent TEXT COLLATE "C" NOT NULL,
	day BIGINT NOT NULL,
	pairs BIGINT NOT NULL,
	PRIMARY KEY (pool, player, opponent, day)
) /*WITHOUT ROWID*/;
