import { type ReactNode, useLayoutEffect, useRef } from 'react'

/**
 * The member's buttons on a card. They go away with the answer, also while they are disabled: without this the focus
 * falls to the body, and Tab starts at the top of the page.
 */
export const CardAnswers = ({ children }: { children: ReactNode }) => {
  const box = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const element = box.current
    const card = element?.closest('article')
    if (!element || !card) return
    let hadFocus = false
    const onFocus = () => {
      hadFocus = true
    }
    // A disabled button loses the focus to nothing; the user moves it to something.
    const onBlur = ({ relatedTarget }: FocusEvent) => {
      if (relatedTarget) hadFocus = false
    }
    element.addEventListener('focusin', onFocus)
    element.addEventListener('focusout', onBlur)
    return () => {
      element.removeEventListener('focusin', onFocus)
      element.removeEventListener('focusout', onBlur)
      if (!hadFocus) return
      queueMicrotask(() => {
        if (!card.isConnected || document.activeElement !== document.body) return
        card.tabIndex = -1
        card.focus({ preventScroll: true })
      })
    }
  }, [])
  return (
    <div ref={box} className="c-answers">
      {children}
    </div>
  )
}
