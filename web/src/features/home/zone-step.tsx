import { useId, useState } from 'react'
import { useSend } from '../../api/use-call.ts'
import { useWords } from '../../i18n/i18n.ts'
import { timeZonesWith } from '../../i18n/time-zones.ts'
import { configuredAgain } from '../../lib/config.ts'
import { Button } from '../../ui/control/button.tsx'
import { notify } from '../../ui/overlay/message.tsx'

const deviceZone = () => new Intl.DateTimeFormat().resolvedOptions().timeZone

/** FIRST-04: the zone of the device is suggested; until the first transfer another one can be chosen. */
export const ZoneStep = ({ zone, isDone }: { zone: string; isDone: boolean }) => {
  const { t } = useWords()
  const id = useId()
  const [chosen, setChosen] = useState(isDone ? zone : deviceZone)
  const choose = useSend('home/chooseZone', { refreshes: ['home/steps'] })
  const save = () =>
    choose.mutate(
      { time_zone: chosen },
      { onSuccess: () => void configuredAgain(), onError: (error) => notify.refused(error.message) },
    )
  return (
    <form
      className="zone-step"
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      <label htmlFor={id} className="visually-hidden">
        {t('home.zone')}
      </label>
      <select id={id} className="select" value={chosen} onChange={(event) => setChosen(event.target.value)}>
        {timeZonesWith(zone, chosen).map((name) => (
          <option key={name}>{name}</option>
        ))}
      </select>
      {!(isDone && chosen === zone) && (
        <Button icon="check" main={!isDone} submits busy={choose.isPending}>
          {t('home.zone_use')}
        </Button>
      )}
    </form>
  )
}
