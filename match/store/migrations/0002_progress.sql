-- What accounts have done beside their matches. kind is answer, run, slip, lesson or visit. item tells the rows of a
-- kind apart. match is that of a slip, and empty for other kinds.
CREATE TABLE progress (
	account TEXT COLLATE "C" NOT NULL,
	kind TEXT COLLATE "C" NOT NULL,
	item TEXT COLLATE "C" NOT NULL,
	match TEXT COLLATE "C" NOT NULL,
	day BIGINT NOT NULL,
	value BIGINT NOT NULL,
	detail TEXT COLLATE "C" NOT NULL,
	at BIGINT NOT NULL,
	PRIMARY KEY (account, kind, item)
) /*WITHOUT ROWID*/;
CREATE INDEX progress_day ON progress (kind, day);
