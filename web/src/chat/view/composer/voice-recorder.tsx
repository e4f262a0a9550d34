import { MAX_VOICE_SECONDS } from '@tallyroom/contract/files'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import type { WordKey } from '@tallyroom/locales'
import { useWords } from '../../../i18n/i18n.ts'
import { MicError, type MicTrouble, type Recorder, type Recording, startRecorder } from '../../../media/recorder.ts'
import { Icon } from '../../../ui/icon.tsx'
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
const BARS = 28

type State =
  | { now: 'opening' }
  | { now: 'recording'; ms: number; levels: number[] }
  /** It ended by itself. */
  | { now: 'ended'; why: 'full' | 'gone'; recording: Recording; src: string }
  | { now: 'failed'; word: WordKey }

type Props = { onSend: (recording: Recording) => void; onClose: () => void }

/** In place of the text box while a voice note is recorded: how long it is, cancel and send. */
export const VoiceRecorder = ({ onSend, onClose }: Props) => {
  const { t } = useWords()
  const [state, setState] = useState<State>({ now: 'opening' })
  const recorder = useRef<Recorder>(undefined)
  const frame = useRef<HTMLDivElement>(null)

  useEffect(() => {
    let isGone = false
    let src = ''
    startRecorder({
      onLevel: (ms, level) =>
        setState((was) => ({
          now: 'recording',
          ms,
          levels: [...(was.now === 'recording' ? was.levels : []), level].slice(-BARS),
        })),
      onEnd: (why, recording) => {
        src = URL.createObjectURL(recording.blob)
        setState({ now: 'ended', why, recording, src })
      },
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
      recorder.current?.cancel()
      if (src) URL.revokeObjectURL(src)
    }
  }, [])

  // The keys belong to it: Enter sends, Escape cancels.
  useEffect(() => frame.current?.focus(), [])

  const send = async () => {
    const recording = state.now === 'ended' ? state.recording : await recorder.current?.stop()
    if (!recording) return
    onSend(recording)
    onClose()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      event.preventDefault()
      onClose()
    }
    if (event.key !== 'Enter' || event.target instanceof HTMLButtonElement) return
    event.preventDefault()
    if (state.now === 'recording' || state.now === 'ended') void send()
  }
  const left = state.now === 'recording' ? MAX_VOICE_SECONDS * 1000 - state.ms : 0
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
        onClick={onClose}
      >
        <Icon name="close" />
      </button>
      <div className="c-recorded">
        {state.now === 'opening' && <span role="status">{t('message.mic_asking')}</span>}
        {state.now === 'failed' && <span role="alert">{t(state.word)}</span>}
        {state.now === 'recording' && (
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
        )}
        {state.now === 'ended' && (
          <>
            <VoiceNote src={state.src} voice={state.recording.voice} />
            <span role="alert">{t(state.why === 'full' ? 'message.record_full' : 'message.mic_gone')}</span>
          </>
        )}
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
