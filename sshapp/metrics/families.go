package metrics

import (
	"notakto/match/limit"
	"notakto/match/manager"
	"notakto/sshapp"
	"notakto/sshapp/notify"
)

func families() []family {
	all := serverFamilies()
	all = append(all, sshFamilies()...)
	all = append(all, sessionFamilies()...)
	all = append(all, matchFamilies()...)
	return append(all, storeFamilies()...)
}

func serverFamilies() []family {
	return []family{
		{"notakto_build_info", "Always 1, with the version of the program.", gauge,
			[]string{"version", "revision", "goversion"},
			func(s *Sources, out emit) { out(1.0, s.Version, s.Revision, s.Go) }},
		{"notakto_ready", "1 if the server can record events and does not stop, as /readyz says, else 0.", gauge,
			nil,
			func(s *Sources, out emit) { out(boolean(!s.Manager.Troubled.Load() && !s.Manager.Draining.Load())) }},
		{"notakto_draining", "1 while no new match may begin because the server stops, or is about to, else 0.", gauge, nil,
			func(s *Sources, out emit) { out(boolean(s.Manager.Draining.Load())) }},
		{"notakto_config_last_reload_successful", "1 if the last reload of the settings succeeded, or there was " +
			"none, else 0.", gauge, nil, func(s *Sources, out emit) {
			ok, _ := s.Reload()
			out(boolean(ok))
		}},
		{"notakto_config_last_reload_success_timestamp_seconds", "When the settings were last read, in Unix time.",
			gauge, nil,
			func(s *Sources, out emit) {
				_, at := s.Reload()
				out(float64(at.Unix()))
			}},
		{"notakto_panics_total", "Faults that ended one session, match or task and nothing else; the log has them.", counter,
			nil, func(s *Sources, out emit) { out(float64(s.Panics())) }},
		{"notakto_admin_commands_total", "Commands of administrators, and how they ended: ok, failed, or refused (not for " +
			"moderators).", counter, []string{"command", "status"}, func(s *Sources, out emit) {
			for k, n := range s.Server.Admin.All() {
				out(float64(n), k.Command, k.Status)
			}
		}},
		{"notakto_notices_total", "Notices to players who are away: sent, or failed because the endpoint took none.",
			counter, []string{"result"}, func(s *Sources, out emit) {
				for _, result := range []string{notify.Sent, notify.Failed} {
					out(float64(s.Notices.Get(result)), result)
				}
			}},
		{"notakto_log_lines_dropped_total", "Lines of the log that could not be written.", counter, nil,
			func(s *Sources, out emit) { out(float64(s.DroppedLines())) }},
	}
}

func sshFamilies() []family {
	return []family{
		{"notakto_ssh_connections_accepted_total", "Connections that the server has taken.", counter, nil,
			func(s *Sources, out emit) { out(float64(s.Server.Accepted.Load())) }},
		{"notakto_ssh_connections_open", "Connections now: proxy has not named its client, handshake is not logged in, " +
			"authenticated has no session, session has one.", gauge, []string{"state"},
			func(s *Sources, out emit) {
				for _, stage := range sshapp.ConnStages() {
					out(float64(s.Server.Conns.Get(stage)), stage)
				}
			}},
		{"notakto_ssh_handshake_duration_seconds", "Time from the connection to the login, with the time to answer the " +
			"client's questions.", histogram, nil, func(s *Sources, out emit) { out(s.Server.Handshakes) }},
		{"notakto_ssh_logins_total", "Logins, with a key or as a guest.", counter, []string{"method"},
			func(s *Sources, out emit) {
				for _, method := range []string{sshapp.LoginKey, sshapp.LoginGuest} {
					out(float64(s.Server.Logins.Get(method)), method)
				}
			}},
		{"notakto_ssh_rejected_total", "Clients that were refused or disconnected, by the reason in the log.",
			counter, []string{"reason"}, func(s *Sources, out emit) {
				for _, reason := range limit.Reasons() {
					out(float64(s.Server.Rejected.Get(reason)), string(reason))
				}
			}},
	}
}

func sessionFamilies() []family {
	byFrontEnd := []string{"front_end"}
	each := func(read func(f *sshapp.FrontEndStats) any) func(*Sources, emit) {
		return func(s *Sources, out emit) {
			for name, f := range s.Server.FrontEnds {
				out(read(f), name)
			}
		}
	}
	return []family{
		{"notakto_sessions_active", "Sessions now, including those that wait in line.", gauge, byFrontEnd,
			each(func(f *sshapp.FrontEndStats) any { return float64(f.Active.Load()) })},
		{"notakto_sessions_started_total", "Sessions that have begun.", counter, byFrontEnd,
			each(func(f *sshapp.FrontEndStats) any { return float64(f.Started.Load()) })},
		{"notakto_sessions_waiting", "Sessions that wait in line because the server is full.", gauge, nil,
			func(s *Sources, out emit) { out(float64(s.Server.Sessions.Waiting.Load())) }},
		{"notakto_sessions_limit", "Sessions that the server admits at once (max-sessions, or fewer if the process may " +
			"have too few files open).", gauge, nil,
			func(s *Sources, out emit) { out(float64(s.Server.Sessions.Limit.Load())) }},
		{"notakto_session_duration_seconds", "How long sessions lasted.", histogram, byFrontEnd,
			each(func(f *sshapp.FrontEndStats) any { return f.Duration })},
		{"notakto_session_ends_total", "Sessions that have ended, by the reason.", counter, []string{"front_end", "reason"},
			func(s *Sources, out emit) {
				for name, f := range s.Server.FrontEnds {
					for _, why := range sshapp.EndReasons() {
						out(float64(f.Ends.Get(why)), name, why)
					}
				}
			}},
		{"notakto_session_input_bytes_total", "Bytes that sessions have read.", counter, byFrontEnd,
			each(func(f *sshapp.FrontEndStats) any { return float64(f.In.Load()) })},
		{"notakto_session_output_bytes_total", "Bytes that sessions were sent, before encryption.", counter, byFrontEnd,
			each(func(f *sshapp.FrontEndStats) any { return float64(f.Out.Load()) })},
		{"notakto_key_to_frame_seconds", "Time from a key press on the full screen until the new frame was handed to SSH.",
			histogram, nil, func(s *Sources, out emit) { out(s.Server.KeyToFrame) }},
		{"notakto_players_online", "Players with a session: with a key, or guests.", gauge, []string{"kind"},
			func(s *Sources, out emit) {
				out(float64(s.Server.Sessions.PlayersWithKey.Load()), "key")
				out(float64(s.Server.Sessions.Guests.Load()), "guest")
			}},
	}
}

func matchFamilies() []family {
	return []family{
		{"notakto_matches_active", "Matches that are not archived; paused are those against the computer whose player is " +
			"not connected. Each server that shares a database counts all of them: take the maximum, not the sum.", gauge,
			[]string{"variant", "opponent", "state"}, func(s *Sources, out emit) {
				for k, n := range s.Manager.Active.All() {
					out(float64(n), k.Variant, k.Opponent, k.State)
				}
			}},
		{"notakto_matches_started_total", "Matches that both players have entered, counted by the server that recorded it.",
			counter, []string{"variant", "opponent", "origin"}, func(s *Sources, out emit) {
				for k, n := range s.Manager.Started.All() {
					out(float64(n), k.Variant, k.Opponent, k.Origin)
				}
			}},
		{"notakto_matches_ended_total", "Matches that have ended, or tables that closed before (dismantled), counted by " +
			"the server that recorded it.", counter, []string{"variant", "opponent", "reason"}, func(s *Sources, out emit) {
			for k, n := range s.Manager.Ended.All() {
				out(float64(n), k.Variant, k.Opponent, k.Reason)
			}
		}},
		{"notakto_moves_total", "Moves that this server has recorded.", counter, []string{"by"}, func(s *Sources, out emit) {
			for _, by := range []string{manager.ByPerson, manager.ByBot, manager.ByComputer} {
				out(float64(s.Manager.Moves.Get(by)), by)
			}
		}},
		{"notakto_reconnects_total", "Absences of players that ended with a return or with a lost match.", counter,
			[]string{"outcome"}, func(s *Sources, out emit) {
				for _, how := range []string{manager.ReconnectResumed, manager.ReconnectForfeited} {
					out(float64(s.Manager.Reconnects.Get(how)), how)
				}
			}},
		{"notakto_queue_players", "Players of this server who wait for an opponent.", gauge, nil,
			func(s *Sources, out emit) { out(float64(s.Lobby.Waiting.Load())) }},
		{"notakto_queue_wait_seconds", "How long players waited for an opponent: until they were paired, gave up " +
			"(cancelled), moved to another server (moved), or lost their place (lost).", histogram, []string{"outcome"},
			func(s *Sources, out emit) {
				out(s.Lobby.Paired, "paired")
				out(s.Lobby.Cancelled, "cancelled")
				out(s.Lobby.Moved, "moved")
				out(s.Lobby.Lost, "lost")
			}},
		{"notakto_spectators", "Sessions that watch matches at the tables of this server.", gauge, nil,
			func(s *Sources, out emit) { out(float64(s.Manager.Spectators.Load())) }},
	}
}

func storeFamilies() []family {
	return []family{
		{"notakto_journal_append_duration_seconds", "How long recording took: ok, conflict (another event came first), or " +
			"unavailable.", histogram, []string{"outcome"}, func(s *Sources, out emit) {
			out(s.Store.Recorded, "ok")
			out(s.Store.Conflicts, "conflict")
			out(s.Store.Unavailable, "unavailable")
		}},
		{"notakto_journal_commits_total", "Transactions of this server that have written something. Events that wait for " +
			"one go into the next one together.", counter, nil,
			func(s *Sources, out emit) { out(float64(s.Store.Commits.Load())) }},
		{"notakto_journal_writable", "1 if events can be recorded, by the latest check, else 0.", gauge, nil,
			func(s *Sources, out emit) { out(boolean(!s.Manager.Troubled.Load())) }},
		{"notakto_journal_size_bytes", "Size of the database. Each server that shares it reports it: take the maximum, not " +
			"the sum.", gauge, nil, func(s *Sources, out emit) {
			if size, ok := s.Store.SizeBytes(); ok {
				out(float64(size))
			}
		}},
		{"notakto_journal_free_bytes", "Free space on the disk of the data directory; no such metric with PostgreSQL.", gauge,
			nil, func(s *Sources, out emit) {
				if free, ok := s.Store.FreeBytes(); ok {
					out(float64(free))
				}
			}},
		{"notakto_journal_damaged_matches", "Matches that are not served because their logs are damaged.", gauge, nil,
			func(s *Sources, out emit) { out(float64(s.Manager.Damaged.Load())) }},
		{"notakto_cluster_nodes", "Servers that share the database and are up, as this one sees them, with itself.", gauge,
			nil, func(s *Sources, out emit) { out(float64(s.Manager.Servers.Load())) }},
		{"notakto_cluster_host_keys", "Different host keys of these servers: must be 1.", gauge, nil,
			func(s *Sources, out emit) { out(float64(s.Manager.HostKeys.Load())) }},
		{"notakto_backup_last_success_timestamp_seconds", "When the last backup of this server was complete, in Unix time; " +
			"no such metric before the first one since the start, and with PostgreSQL.", gauge, nil,
			func(s *Sources, out emit) {
				if at, _, ok := s.Store.Backup(); ok {
					out(float64(at.Unix()))
				}
			}},
		{"notakto_backup_last_size_bytes", "Size of that backup.", gauge, nil, func(s *Sources, out emit) {
			if _, size, ok := s.Store.Backup(); ok {
				out(float64(size))
			}
		}},
	}
}
