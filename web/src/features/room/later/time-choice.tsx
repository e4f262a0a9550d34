import { useState } from 'react'
import { useWords } from '../../../i18n/i18n.ts'
import { momentOf, showMoment } from '../../../i18n/time.ts'
import { serverNow } from '../../../lib/clock.ts'
import { DateField } from '../../../ui/control/date-field.tsx'
import { RadioGroup } from '../../../ui/control/radio.tsx'
import { ZoneNote } from '../../../ui/zone-note.tsx'
import { laterChoices, laterTime } from './times.ts'

const OWN = 'own'

/** The choice of a time: the usual ones, and a field for another. `before`: the one it has. `at` is in ms. */
export const useTimeChoice = ({ before, focuses = true }: { before?: number | undefined; focuses?: boolean } = {}) => {
  const { t } = useWords()
  // As of the moment it was opened: a time must not move under the eye.
  const [choices] = useState(() => laterChoices(serverNow()))
  const [chosen, setChosen] = useState<string>(before === undefined ? '0' : OWN)
  const [own, setOwn] = useState(() => showMoment(before ?? choices[1]?.at ?? serverNow()).slice(0, 16))
  const at = chosen === OWN ? momentOf(own) : (choices[Number(chosen)]?.at ?? 0)
  const options = choices.map(({ word, n, at: time }, index) => ({
    value: String(index),
    label: (
      <span className="room-later-time">
        {n === undefined ? t(word) : t(word, { n })}
        <span className="points">{laterTime(time)}</span>
      </span>
    ),
  }))
  return {
    at,
    iso: new Date(at).toISOString(),
    field: (
      <div className="room-later-choice">
        <ZoneNote />
        <RadioGroup
          label={t('later.when')}
          autoFocus={focuses}
          options={[...options, { value: OWN, label: t('later.own') }]}
          value={chosen}
          onChange={setChosen}
        />
        {chosen === OWN && <DateField time label={t('later.at')} value={own} onChange={setOwn} />}
      </div>
    ),
  }
}
