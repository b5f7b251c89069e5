-- Periods in which no server committed anything, in microseconds.
CREATE TABLE outage (
	began BIGINT PRIMARY KEY,
	ended BIGINT NOT NULL
);
