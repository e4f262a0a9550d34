import { test } from 'vitest'
import { runStory } from '../../testing/ledger/story.ts'

test('[TRF-11] refusals of a transfer, in their order of precedence', () =>
  runStory(`
    set cs isFrozen
    send t cs agent 0                 -> transfer.amount_invalid
    send t cs cs 1                    -> transfer.to_yourself
    send t cs agent 1                 -> transfer.to_yourself      # its funding account and upline
    send t agent top 1                -> transfer.to_yourself
    send t cs stranger 1              -> account.not_found
    send t cs nobody 1                -> account.not_found
    send t agent cs 1 room            -> account.not_found         # envelopes are for members
    send t cs member 1 room wrong     -> room.not_found
    send t agent cs 1                 -> access.denied             # no such right on that list
    send t cs member 1 game           -> access.denied
    send t cs member 1                -> transfer.frozen
    set cs isFrozen off
    set member inEventMode
    send t cs member 1 room           -> transfer.event_mode
    send t cs member 1                -> transfer.not_enough
    floor agent -5
    send t cs member 6                -> transfer.over_credit
    send t cs member 5                -> success
    balance agent main -5
  `))

test('[TRF-02] a minus takes, but never into credit', () =>
  runStory(`
    has agent main 10
    floor member -100
    send t1 agent member 4            -> success
    receive t2 agent member 4.0001    -> transfer.member_not_enough
    receive t3 agent member 4         -> success
    receive t4 agent member 0.0001    -> transfer.member_not_enough
    send t5 top agent 1               -> success
    balance agent main 11
    balance top main -1
    send t6 top agent 900000          -> success                   # S21: -1 is a number, not unlimited
    floor agent -1
    receive t7 top agent 900012       -> transfer.member_not_enough
    receive t8 top agent 900011       -> success
    balance agent main 0
  `))

test('[S21] a balance of exactly -1 is not unlimited', () =>
  runStory(`
    floor agent -1
    send t1 agent member 1            -> success
    balance agent main -1
    send t2 agent member 0.0001       -> transfer.over_credit
  `))

test('[TRF-03] [TRF-04] taking from the game wallet needs the right', () =>
  runStory(`
    has agent main 10
    gameSend g1 agent member 5 game   -> access.denied             # one wallet only
    set member hasGame
    gameSend g2 agent member 5 game   -> success
    balance member game 5
    gameDeduct g3 agent member 1 game -> access.denied
    set member mayDeductGame
    gameDeduct g4 agent member 1 game -> access.denied             # it is the actor's right
    set agent mayDeductGame
    gameDeduct g5 agent member 6 game -> transfer.member_not_enough
    gameDeduct g6 agent member 5 game -> success
    send r1 agent member 1 game room  -> access.denied
    gameSend g7 agent member 1 game room -> success                # the type of its own
    gameDeduct g8 agent member 2 game room -> transfer.member_not_enough
    gameDeduct g9 agent member 1 game room -> success
    set member choosesWallet
    send r2 agent member 1 game room  -> success
    gift r3 agent member 1 game room  -> success
    makeUp r4 cs member 1 game room why -> access.denied
    receive r3 agent member 1 game room -> access.denied
    gameSend r4 agent cs 1 game       -> access.denied
  `))

test('[ENV-01] each kind of transfer in a room needs its button', () =>
  runStory(`
    has agent main 100
    has member main 100
    set member hasGame
    set cs maySend off
    send s1 cs member 1 room          -> access.denied
    send s2 agent member 1 room       -> success                   # each has buttons of his own
    set cs mayReceive off
    receive r1 cs member 1 room       -> access.denied
    gift g1 cs member 1 room          -> success
    set cs mayGift off
    gift g2 cs member 1 room          -> access.denied
    makeUp m1 cs member 1 room        -> transfer.remark_needed
    makeUp m2 cs member 1 room why    -> success
    makeUp m3 agent member 1 room why -> access.denied             # roles 1 and 3
    floor top none
    makeUp m4 top member 1 room why   -> success
    gameSend w1 cs member 1 game room -> success
    gameDeduct w2 cs member 1 game room -> access.denied
    set cs mayDeductGame
    gameDeduct w3 cs member 1 game room -> success
    set cs mayMakeUp off
    makeUp m5 cs member 1 room why    -> access.denied
    gameSend w4 cs member 1 game room -> access.denied
    gameDeduct w5 cs member 1 game room -> access.denied
    send l1 cs member 1               -> success                   # lists go by the menu
  `))

test('[TRF-13] [FLOW-01] points are not paid out while turnover is due, unless an actor with the right overrides it', () =>
  runStory(`
    has agent main 100
    send s1 agent member 10           -> success
    due member 10
    receive r1 agent member 1 room    -> transfer.flow_limit_open
    receive r2 agent member 1 room override -> transfer.flow_limit_open  # not his to say
    receive l1 agent member 1         -> success                   # a list takes back directly
    bet member 9.9999
    receive r3 agent member 1 room    -> transfer.flow_limit_open
    set agent setsTurnover
    receive r4 agent member 1 room    -> transfer.flow_limit_open
    receive r5 agent member 1 room override -> success
    bet member 0.0001
    receive r6 cs member 1 room       -> success
    set member asksConsent
    send s2 agent member 5 room       -> pending
    due member 0                                                   # opened when it is accepted
    receive r7 cs member 1 room       -> pending
    answer s2 accept                  -> success
    due member 5
    answer r7 accept                  -> transfer.flow_limit_open  # asked for before, checked again
    answer r7 reject                  -> rejected
    receive r8 agent member 1 room override -> pending
    answer r8 accept                  -> success
  `))

test('[ENV-02] caps, for one envelope and for a day', () =>
  runStory(`
    has agent main 100
    cap envelope 5
    send s1 cs member 5.0001 room     -> transfer.over_envelope_cap
    gift s2 cs member 5.0001 room     -> transfer.over_envelope_cap
    receive s3 cs member 5.0001 room  -> transfer.over_envelope_cap
    send s4 cs member 6               -> success                   # no envelope
    cap day 20
    given 16
    send s5 cs member 4.0001          -> transfer.over_day_cap
    set member asksConsent
    send s6 cs member 3 room          -> pending
    send s7 cs member 1.0001          -> transfer.over_day_cap     # what is held counts
    send s8 cs member 1               -> success
    send s9 top agent 1000            -> success                   # only what goes to members
  `))

test('[ENV-06] points of an open envelope are held until it ends, once', () =>
  runStory(`
    has agent main 10
    set member asksConsent
    send e1 cs member 4 room          -> pending
    balance agent main 6
    balance agent escrow 4
    balance member main 0
    send e2 agent member 6.5 room     -> transfer.not_enough       # what is held cannot be given twice
    answer e1 lapse                   -> envelope.already_settled  # not due
    answer e1 accept                  -> success
    answer e1 accept                  -> envelope.already_settled
    answer e1 reject                  -> envelope.already_settled
    balance agent escrow 0
    balance member main 4
    send e3 agent member 1 room       -> pending
    answer e3 reject                  -> rejected
    answer e3 accept                  -> envelope.already_settled
    balance agent main 6
    send e4 agent member 2 room       -> pending
    overdue e4
    answer e4 accept                  -> expired:envelope.expired  # too late, and said so
    answer e4 accept                  -> envelope.expired
    balance agent main 6
    balance agent escrow 0
    send e5 agent member 1            -> success                   # from a list nobody is asked
  `))

test('[ENV-06] a request for points holds nothing, is one at a time, and fails when the member has too few', () =>
  runStory(`
    has member main 3
    set agent asksConsent
    receive q1 agent member 5 room    -> pending
    receive q2 agent member 1 room    -> transfer.one_open_at_a_time
    balance member main 3
    answer q1 accept                  -> failed:envelope.member_not_enough
    answer q1 accept                  -> envelope.already_settled
    receive q3 agent member 3 room    -> pending
    answer q3 accept                  -> success
    balance agent main 3
    balance member main 0
    receive q4 agent member 1 room    -> pending
    answer q4 reject                  -> rejected
    receive q5 agent member 1 room    -> pending
    overdue q5
    answer q5 lapse                   -> expired
    answer q5 reject                  -> envelope.expired
  `))

test('[ENV-05] event mode and freezing stop open envelopes; held points return', () =>
  runStory(`
    has agent main 10
    set member asksConsent
    send e1 agent member 4 room       -> pending
    set member inEventMode
    answer e1 accept                  -> transfer.event_mode
    set member inEventMode off
    set member isFrozen
    answer e1 accept                  -> transfer.frozen
    answer e1 lapse                   -> failed
    balance agent main 10
    balance agent escrow 0
    set member isFrozen off
    send e2 agent member 4 room       -> pending
    set member inEventMode
    answer e2 reject                  -> rejected                  # giving back is no envelope
    receive q1 agent member 1 room    -> transfer.event_mode
    gift q3 agent member 1 room       -> transfer.event_mode
    receive q2 agent member 1         -> transfer.member_not_enough # lists know no event mode
  `))
