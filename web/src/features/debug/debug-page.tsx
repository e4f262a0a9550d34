import { open, seal } from '@tallyroom/contract/wire'
import { type FormEvent, type ReactNode, useEffect, useState } from 'react'
import { configured } from '../../lib/config.ts'
import { useLive } from '../../chat/view/use-chat.ts'
import { getStored } from '../../lib/storage.ts'
import { Button } from '../../ui/control/button.tsx'
import { Input, TextArea } from '../../ui/control/input.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Alert } from '../../ui/overlay/message.tsx'
import { useCall } from '../../api/use-call.ts'
import { useWords } from '../../i18n/i18n.ts'
import './debug.css'

/**
 * /RD_Debug (SET-08), with Chinese labels in every language. Anyone can do the same with `/config.json`: the envelope's
 * secret is public, and this page asks the server for nothing but the own account.
 */
export const DebugPage = () => (
  <div className="debug-page">
    <Facts />
    <Decrypt />
    <Encrypt />
  </div>
)

const useConfig = () => {
  const [config, setConfig] = useState<Awaited<ReturnType<typeof configured>>>()
  useEffect(() => {
    configured().then(setConfig, () => setConfig(undefined))
  }, [])
  return config
}

const Facts = () => {
  const { language } = useWords()
  const config = useConfig()
  const live = useLive()
  const own = useCall('user/view', {}, { meta: { optional: true } })
  const facts: [label: string, value: string][] = [
    ['伺服器位址', config ? config.api || window.location.origin : ''],
    ['平台時區', config?.time_zone ?? ''],
    ['語言', language],
    ['帳號編號', getStored('user_id') ?? ''],
    ['角色', String(own.data?.role_id ?? '')],
    ['即時連線', live === 'on' ? '已連線' : live === 'connecting' ? '連線中' : '未連線'],
    ['視窗大小', `${window.innerWidth} × ${window.innerHeight}`],
    ['瀏覽器', navigator.userAgent],
  ]
  return (
    <section className="card" lang="zh-TW">
      <h2>除錯資訊</h2>
      <dl className="debug-facts">
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

type ToolProps = { title: string; button: string; run: (name: string, text: string) => Promise<string>; input: string }

/** Runs on a call's name and a text: a payload encrypted for one call cannot be decrypted as another. */
const Tool = ({ title, button, run, input, children }: ToolProps & { children?: ReactNode }) => {
  const [name, setName] = useState('user/view')
  const [text, setText] = useState('')
  const [result, setResult] = useState<{ text?: string; failed?: string }>({})
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    try {
      setResult({ text: await run(name.trim(), text.trim()) })
    } catch (error) {
      setResult({ failed: error instanceof Error ? error.message : String(error) })
    }
  }
  return (
    <form className="card" lang="zh-TW" onSubmit={(event) => void submit(event)}>
      <h2>{title}</h2>
      {result.failed !== undefined && <Alert text={`${button}失敗：${result.failed}`} />}
      <Field label="呼叫名稱">
        {(control) => <Input {...control} value={name} onChange={(event) => setName(event.target.value)} />}
      </Field>
      <Field label={input}>
        {(control) => (
          <TextArea
            {...control}
            className="debug-text"
            rows={5}
            spellCheck={false}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        )}
      </Field>
      <Button main submits>
        {button}
      </Button>
      {result.text !== undefined && (
        <Field label="結果">
          {(control) => <TextArea {...control} className="debug-text" rows={8} readOnly value={result.text ?? ''} />}
        </Field>
      )}
      {children}
    </form>
  )
}

const Decrypt = () => (
  <Tool
    title="解密字串"
    button="解密"
    input="要解密的字串（params）"
    run={async (name, text) => JSON.stringify(open(name, text, (await configured()).secret), null, 2)}
  />
)

const Encrypt = () => (
  <Tool
    title="加密物件"
    button="加密"
    input="要加密的資料"
    run={async (name, text) =>
      JSON.stringify(seal(name, JSON.parse(text) as unknown, (await configured()).secret), null, 2)
    }
  />
)
