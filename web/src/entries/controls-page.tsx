import { MAX_NICKNAME } from '@tallyroom/contract/lengths'
import type { Words } from '@tallyroom/locales'
import { type ReactNode, useState } from 'react'
import { useWords } from '../i18n/i18n.ts'
import { accents, saveTheme, type ThemeSettings, themes } from '../theme/theme.ts'
import { useThemeSettings } from '../theme/use-theme.ts'
import { Button } from '../ui/control/button.tsx'
import { DateField } from '../ui/control/date-field.tsx'
import { RadioGroup } from '../ui/control/radio.tsx'
import { Segments } from '../ui/control/segments.tsx'
import { Switch } from '../ui/control/switch.tsx'
import { AmountInput } from '../ui/form/amount-input.tsx'
import { Check } from '../ui/form/check.tsx'
import { ClearInput } from '../ui/form/clear-input.tsx'
import { Field } from '../ui/form/field.tsx'
import { LanguageSelect } from '../ui/form/language-select.tsx'
import { TextField } from '../ui/form/text-field.tsx'
import { Icon } from '../ui/icon.tsx'
import { ConfirmDialog } from '../ui/overlay/confirm-dialog.tsx'
import { Dialog } from '../ui/overlay/dialog.tsx'
import { Drawer } from '../ui/overlay/drawer.tsx'
import { Menu } from '../ui/overlay/menu.tsx'
import { Alert, Notices, notify } from '../ui/overlay/message.tsx'
import { NoticeDialog } from '../ui/overlay/notice-dialog.tsx'
import { Tip } from '../ui/overlay/tip.tsx'
import { Person } from '../ui/person.tsx'
import './controls.css'

/** Written from right to left, with an exclamation mark that must stay at its left end. */
const rightToLeft = { username: 'laila01', nickname: 'ليلى عبد الرحمن!', thumbnail: '', role_id: 4 }

const longestOf = (words: Words, start: string) =>
  Object.entries(words)
    .flatMap(([key, text]) => (key.startsWith(start) && typeof text === 'string' && !text.includes('{') ? [text] : []))
    .reduce((longest, text) => (text.length > longest.length ? text : longest), '')

/** Every control in each of its states, with the longest act and the longest sentence. `words` are those of the language. */
export const ControlsPage = ({ words }: { words: Words }) => {
  const { t } = useWords()
  const settings = useThemeSettings()
  const [act, longest] = [longestOf(words, 'action.'), longestOf(words, 'account.')]
  return (
    <>
      <main data-page className="controls">
        <h1>{t('theme.title')}</h1>
        <div className="controls-row">
          <LanguageSelect />
          <Segments
            label={t('theme.title')}
            value={settings.theme}
            options={themes.map((value) => ({ value, label: value }))}
            onChange={(theme) => saveTheme({ theme })}
          />
          <select
            className="select"
            aria-label={t('theme.colour')}
            value={settings.accent}
            onChange={({ target }) => saveTheme({ accent: accents[target.selectedIndex] ?? 'blue' })}
          >
            {accents.map((accent) => (
              <option key={accent}>{t(`theme.${accent}`)}</option>
            ))}
          </select>
        </div>
        <Buttons act={act} />
        <Fields longest={longest} />
        <Choices longest={longest} act={act} />
        <Dates />
        <Overlays longest={longest} act={act} />
      </main>
      <Notices />
      <Tip />
    </>
  )
}

const Part = ({ name, children }: { name: string; children: ReactNode }) => (
  <section className="controls-part" aria-labelledby={`part-${name}`}>
    <h2 id={`part-${name}`}>{name}</h2>
    {children}
  </section>
)

const Buttons = ({ act }: { act: string }) => {
  const { t } = useWords()
  const kinds = [{}, { main: true }, { danger: true }, { main: true, danger: true }, { plain: true }] as const
  return (
    <Part name="Button">
      {[{}, { small: true }, { icon: 'plus' }, { busy: true }, { disabled: true }].map((state) => (
        <div key={JSON.stringify(state)} className="controls-row">
          {kinds.map((kind) => (
            <Button key={JSON.stringify(kind)} {...kind} {...(state as object)}>
              {t('action.save')}
            </Button>
          ))}
        </div>
      ))}
      <div className="controls-row">
        <button type="button" className="icon-button" aria-label={t('action.close')} data-tip={t('action.close')}>
          <Icon name="close" />
        </button>
        <button type="button" className="icon-button" disabled aria-label={t('action.edit')}>
          <Icon name="edit" />
        </button>
      </div>
      <div className="controls-narrow">
        <Button main>{act}</Button>
        <Button>{act}</Button>
      </div>
    </Part>
  )
}

const Fields = ({ longest }: { longest: string }) => {
  const { t } = useWords()
  const [text, setText] = useState('')
  const [points, setPoints] = useState('1250.5')
  const label = t('account.username')
  return (
    <Part name="Field">
      <div className="controls-grid">
        <TextField label={label} value={text} onChange={setText} placeholder={t('account.nickname')} />
        <TextField
          label={label}
          value={text}
          onChange={setText}
          required
          hint={longest}
          maxLength={MAX_NICKNAME}
          showCount
        />
        <TextField label={label} value={rightToLeft.nickname} onChange={setText} dir="auto" error={longest} />
        <TextField label={label} value="mia01" onChange={setText} disabled />
        <TextField label={longest} value={text} onChange={setText} rows={3} />
        <TextField
          label={t('account.password')}
          type="password"
          value={text}
          onChange={setText}
          maxLength={MAX_NICKNAME}
        />
        <Field label={t('report.points')}>
          {(control) => <AmountInput {...control} value={points} onChange={setPoints} />}
        </Field>
        <Field label={t('shell.language')}>
          {(control) => (
            <select {...control} className="select">
              <option>{label}</option>
              <option>{longest}</option>
            </select>
          )}
        </Field>
        <ClearInput label={t('action.search')} placeholder={t('action.search')} value={text} onChange={setText} />
      </div>
    </Part>
  )
}

const Choices = ({ longest, act }: { longest: string; act: string }) => {
  const { t } = useWords()
  const [isOn, setOn] = useState(true)
  const [side, setSide] = useState<ThemeSettings['side']>('light')
  const options = [
    { value: 'light', label: t('action.save') },
    { value: 'dark', label: act },
  ] as const
  return (
    <Part name="Choice">
      <div className="controls-row">
        <Switch checked={isOn} onChange={setOn} aria-label={t('action.save')} />
        <Switch checked={!isOn} onChange={setOn} aria-label={t('action.edit')} />
        <Switch checked disabled onChange={setOn} aria-label={t('action.close')} />
        <Switch checked={false} disabled onChange={setOn} aria-label={t('action.cancel')} />
      </div>
      <Check isOn={isOn} onChange={setOn}>
        {longest}
      </Check>
      <Segments label={t('theme.title')} options={options} value={side} onChange={setSide} />
      <RadioGroup label={longest} options={options} value={side} onChange={setSide} />
      <div className="controls-row">
        <Person who={rightToLeft} role />
        {['', 'chip-in', 'chip-refused', 'chip-waiting'].map((kind) => (
          <span key={kind} className={`chip ${kind}`}>
            {t('action.save')}
          </span>
        ))}
        <kbd>{'⌘ 1'}</kbd>
      </div>
    </Part>
  )
}

const Dates = () => {
  const { t } = useWords()
  const [day, setDay] = useState('2026-01-15')
  const [minute, setMinute] = useState('2026-01-15 23:59')
  return (
    <Part name="DateField">
      <div className="controls-grid">
        <DateField label={t('history.start')} value={day} onChange={setDay} />
        <DateField label={t('report.start')} time value={minute} onChange={setMinute} />
        <DateField label={t('report.start')} value="" onChange={setDay} error={t('calendar.title')} />
      </div>
    </Part>
  )
}

/** The buttons have the names of the parts, which are no words of a screen. */
const notices = ['done', 'refused', 'warning'] as const
const layers = ['Dialog', 'Side dialog', 'ConfirmDialog', 'NoticeDialog', 'Right drawer', 'Bottom drawer'] as const

const Overlays = ({ longest, act }: { longest: string; act: string }) => {
  const { t } = useWords()
  const [open, setOpen] = useState<(typeof layers)[number]>()
  const [text, setText] = useState('')
  const close = () => setOpen(undefined)
  const buttons = (
    <>
      <Button onClick={close}>{t('action.cancel')}</Button>
      <Button main submits>
        {t('action.save')}
      </Button>
    </>
  )
  return (
    <Part name="Overlay">
      <div className="controls-row">
        {layers.map((name) => (
          <Button key={name} onClick={() => setOpen(name)}>
            {name}
          </Button>
        ))}
        {notices.map((name) => (
          <Button key={name} onClick={() => notify[name](longest)}>
            {name}
          </Button>
        ))}
        <Menu name={t('table.more')} button={{ className: 'button', content: t('table.more') }}>
          <button type="button" role="menuitem" className="menu-item">
            {act}
          </button>
          <button type="button" role="menuitem" className="menu-item">
            {t('action.edit')}
          </button>
        </Menu>
      </div>
      <Alert text={longest} />
      {(open === 'Dialog' || open === 'Side dialog') && (
        <Dialog
          title={act}
          beside={<Person who={rightToLeft} />}
          side={open === 'Side dialog'}
          buttons={buttons}
          onClose={close}
          onSubmit={close}
        >
          <TextField label={t('account.nickname')} value={text} onChange={setText} autoFocus />
          <Dates />
        </Dialog>
      )}
      {open === 'ConfirmDialog' && (
        <ConfirmDialog title={act} act={t('action.delete')} danger onConfirm={close} onClose={close}>
          <p>{longest}</p>
        </ConfirmDialog>
      )}
      {open === 'NoticeDialog' && (
        <NoticeDialog title={act} onClose={close}>
          <p>{longest}</p>
        </NoticeDialog>
      )}
      {(open === 'Right drawer' || open === 'Bottom drawer') && (
        <Drawer
          placement={open === 'Right drawer' ? 'right' : 'bottom'}
          {...(open === 'Bottom drawer' ? { height: '60%' } : {})}
          title={act}
          footer={buttons}
          onClose={close}
        >
          <Person who={rightToLeft} />
        </Drawer>
      )}
    </Part>
  )
}
