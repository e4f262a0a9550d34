import { roomStyle } from '../../chat/view/room-theme.ts'
import { brandOf } from '../../member/brand.ts'
import { Icon } from '../../ui/icon.tsx'
import { Avatar } from '../../ui/person.tsx'
import { useWords } from '../../i18n/i18n.ts'
import { type SettingDraft, isColour } from './form.ts'
import '../../chat/view/chat.css'
import '../../chat/view/messages/messages.css'
import '../../chat/view/room-theme.css'
import '../../member/brand.css'

const colour = (text: string) => (isColour(text) ? text.trim().toLowerCase() : '')

/** Preview of the room as a member sees it, with the form's current values. */
export const Preview = ({ draft, name }: { draft: SettingDraft; name: string }) => {
  const { t } = useWords()
  const theme = {
    ...draft,
    // The preview shows no waiting times.
    late_after: Number.NaN,
    overdue_after: Number.NaN,
    background_color: colour(draft.background_color),
    header_background_color: colour(draft.header_background_color),
    header_font_color: colour(draft.header_font_color),
  }
  const title = draft.name.trim() || name
  const ground = roomStyle(theme)
  const brand = brandOf(theme)
  return (
    <figure
      className="setting-preview"
      data-brand={brand ? true : undefined}
      {...ground}
      style={{ ...ground.style, ...brand }}
    >
      <figcaption className="visually-hidden">{t('setting.preview')}</figcaption>
      <div className="setting-preview-head c-theme-head">
        <Avatar src="" name={title} size={36} />
        <strong>
          <bdi>{title}</bdi>
        </strong>
        <Icon name="menu" />
      </div>
      <div className="c-room">
        <div className="setting-preview-chat">
          <div className="c-row" data-first>
            <span className="c-author">{t('role.customer_service')}</span>
            <div className="c-bubble">{t('setting.preview_hello')}</div>
          </div>
          <div className="c-row" data-own data-first>
            <div className="c-bubble">{t('setting.preview_answer')}</div>
          </div>
        </div>
        <div className="c-composer">
          <div className="setting-preview-box">{t('message.write')}</div>
        </div>
      </div>
    </figure>
  )
}
