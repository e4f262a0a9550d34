import { type ReactNode, useId, useRef } from 'react'
import { createPortal } from 'react-dom'
import { useWords } from '../../i18n/i18n.ts'
import { Icon } from '../icon.tsx'
import { useLayer } from './use-layer.ts'
import './drawer.css'

type Props = {
  placement: 'left' | 'right' | 'bottom'
  /** Its height at the bottom. The width at a side is the same for all: drawer.css. */
  height?: string
  /** Whether it covers the page, which then cannot be used; a press outside closes it. */
  mask?: boolean
  className?: string
  /** In its head, with the button that closes it. Without one it has no head, and `label` is its name. */
  title?: ReactNode
  label?: string
  footer?: ReactNode
  onClose: () => void
  children: ReactNode
}

/** At an edge of the screen, open while it is mounted. */
export const Drawer = ({ placement, height, mask = true, className = '', title, label, ...rest }: Props) => {
  const { footer, onClose, children } = rest
  const { t } = useWords()
  const id = useId()
  const box = useRef<HTMLElement>(null)
  useLayer(box, mask, onClose)
  return createPortal(
    <div
      className="drawer-layer"
      data-mask={mask || undefined}
      onClick={({ target, currentTarget }) => target === currentTarget && onClose()}
    >
      <section
        ref={box}
        role="dialog"
        // Without a mask the page beside it can be used: a screen reader must not hide that page.
        aria-modal={mask}
        {...(label ? { 'aria-label': label } : { 'aria-labelledby': id })}
        tabIndex={-1}
        className={`drawer drawer-${placement} ${className}`}
        style={height === undefined ? undefined : { height }}
      >
        {title !== undefined && (
          <header className="drawer-head">
            <div id={id} className="drawer-title">
              {title}
            </div>
            <button type="button" className="icon-button" aria-label={t('action.close')} onClick={onClose}>
              <Icon name="close" />
            </button>
          </header>
        )}
        <div className="drawer-body">{children}</div>
        {footer && <footer className="drawer-foot">{footer}</footer>}
      </section>
    </div>,
    document.body,
  )
}
