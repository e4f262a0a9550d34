import { useState } from 'react'
import { pushIsOn, disablePush, enablePush } from '../model/push.ts'

/** State of the push switch: whether it is on, whether it is changing, and why the last change failed. */
export const usePush = () => {
  const [isOn, setOn] = useState(pushIsOn)
  const [busy, setBusy] = useState(false)
  const toggle = async (): Promise<string | undefined> => {
    if (busy) return undefined
    setBusy(true)
    const trouble = await (isOn ? disablePush() : enablePush())
    setBusy(false)
    setOn(pushIsOn())
    return trouble
  }
  return { isOn, busy, toggle }
}
