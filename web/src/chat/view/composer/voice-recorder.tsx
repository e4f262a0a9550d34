import { MAX_VOICE_SECONDS } from '@tallyroom/contract/files'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import type { WordKey } from '@tallyroom/locales'
import { useWords } from '../../../i18n/i18n.ts'
import { MicError, type MicTrouble, type Recorder, type Recording, startRecorder } from '../../../media/recorder.ts'
import { Icon } from '../../../ui/icon.tsx'
import { keepRecording, takeRecording } from '../../model/kept-recordings.ts'
import { voiceLength } from '../../model/message-kinds.ts'
import { VoiceNote } from '../messages/voice-note.tsx'
import './recorder.css'

const troubles: Record<MicTrouble, WordKey> = {
  blocked: 'message.mic_blocked',
  missing: 'message.mic_missing',
  busy: 'message.mic_busy',
  insecure: 'message.mic_insecure',
  unsupported: 'message.mic_unsupported',
}
const endings = { full: 'message.record_full', gone: 'message.mic_gone', left: 'message.record_left' } as const
const BARS = 28

type State =
  | { now: 'opening' }
  | { now: 'recording'; ms: number; levels: number[] }
  /** It ended by itself, or with the visit of the room. */
  | { now: 'ended'; why: keyof typeof endings; recording: Recording; src: string }
  | { now: 'failed'; word: WordKey }

/**
 * Records from the moment it is shown. A recording that is left with its room is there again with it; `finish` says that it
 * is not, because it is sent or cancelled.
 */
const useRecorder = (code: string) => {
  const [state, setState] = useState<State>({ now: 'opening' })
  const recorder = useRef<Recorder>(undefined)
  const isDone = useRef(false)

  useEffect(() => {
    let isGone = false
    let src = ''
    let ended: Recording | undefined
    const end = (why: keyof typeof endings, recording: Recording) => {
      ended = recording
      if (isGone) return
      src = URL.createObjectURL(recording.blob)
      setState({ now: 'ended', why, recording, src })
    }
    const kept = takeRecording(code)
    if (kept) void kept.then((recording) => end('left', recording))
    else
      startRecorder({
        onLevel: (ms, level) =>
          setState((was) => ({
            now: 'recording',
            ms,
            levels: [...(was.now === 'recording' ? was.levels : []), level].slice(-BARS),
          })),
        onEnd: end,
      }).then(
        (started) => {
          recorder.current = started
          if (isGone) started.cancel()
          else setState({ now: 'recording', ms: 0, levels: [] })
        },
        (error: unknown) => {
          const trouble = error instanceof MicError ? error.trouble : 'unsupported'
          if (!isGone) setState({ now: 'failed', word: troubles[trouble] })
        },
      )
    return () => {
      isGone = true
      if (src) URL.revokeObjectURL(src)
      if (isDone.current) return recorder.current?.cancel()
      const left = ended ? Promise.resolve(ended) : (kept ?? recorder.current?.stop())
      if (left) keepRecording(code, left)
    }
  }, [code])

  return {
    state,
    finish: () => {
      isDone.current = true
    },
    stop: () => recorder.current?.stop(),
  }
}

type Props = { code: string; onSend: (recording: Recording) => void; onClose: () => void }

/** In place of the text box while a voice note is recorded: how long it is, cancel and send. */
export const VoiceRecorder = ({ code, onSend, onClose }: Props) => {
  const { t } = useWords()
  const { state, finish, stop } = useRecorder(code)
  const frame = useRef<HTMLDivElement>(null)
  // The keys belong to it: Enter sends, Escape cancels.
  useEffect(() => frame.current?.focus(), [])

  const close = () => {
    finish()
    onClose()
  }
  const send = async () => {
    // Before the recorder has stopped: left meanwhile, the recording would be sent, and be there again.
    finish()
    const recording = state.now === 'ended' ? state.recording : await stop()
    if (!recording) return
    onSend(recording)
    close()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      event.preventDefault()
      close()
    }
    if (event.key !== 'Enter' || event.target instanceof HTMLButtonElement) return
    event.preventDefault()
    // Enter may have opened the room: a recording that was left goes by its button only.
    if (state.now === 'recording' || (state.now === 'ended' && state.why !== 'left')) void send()
  }
  return (
    <div
      className="c-recorder"
      ref={frame}
      tabIndex={-1}
      role="group"
      aria-label={t('message.record')}
      onKeyDown={onKeyDown}
    >
      <button
        type="button"
        className="c-round"
        aria-label={t('action.cancel')}
        title={t('action.cancel')}
        onClick={close}
      >
        <Icon name="close" />
      </button>
      <div className="c-recorded">
        <Recorded state={state} />
      </div>
      <button
        type="button"
        className="c-round c-send"
        aria-label={t('message.send_voice')}
        title={t('message.send_voice')}
        disabled={state.now !== 'recording' && state.now !== 'ended'}
        onClick={() => void send()}
      >
        <Icon name="send" />
      </button>
    </div>
  )
}

/** The recording so far, or why there is none. */
const Recorded = ({ state }: { state: State }) => {
  const { t } = useWords()
  if (state.now === 'opening') return <span role="status">{t('message.mic_asking')}</span>
  if (state.now === 'failed') return <span role="alert">{t(state.word)}</span>
  if (state.now === 'ended') {
    return (
      <>
        <VoiceNote src={state.src} voice={state.recording.voice} />
        <span role="alert">{t(endings[state.why])}</span>
      </>
    )
  }
  const left = MAX_VOICE_SECONDS * 1000 - state.ms
  return (
    <>
      <span className="c-record-dot" aria-hidden="true" />
      <span className="c-record-time" role="timer" aria-label={t('message.recording')}>
        {voiceLength(state.ms)}
      </span>
      <span className="c-levels" aria-hidden="true">
        {state.levels.map((level, n) => (
          <i key={n} style={{ height: `${Math.min(100, 12 + level * 300)}%` }} />
        ))}
      </span>
      {left <= 10_000 && (
        <span className="c-record-left">{t('message.seconds_left', { n: Math.ceil(left / 1000) })}</span>
      )}
    </>
  )
}
