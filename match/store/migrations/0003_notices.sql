-- Messages that accounts were sent outside the game. item names the occasion. The item seen has the time of the
-- player's last key.
CREATE TABLE notice (
	account TEXT COLLATE "C" NOT NULL,
	item TEXT COLLATE "C" NOT NULL,
	at BIGINT NOT NULL,
	PRIMARY KEY (account, item)
) /*WITHOUT ROWID*/;
CREATE INDEX notice_at ON notice (at);
