import { useWords } from '../i18n/i18n.ts'
import { foreignZone } from '../i18n/time.ts'

/** Says whose the times below are, while the device has another time (FIRST-04). */
export const ZoneNote = () => {
  const { t } = useWords()
  const zone = foreignZone()
  return zone && <p className="zone-note">{t('time.in_zone', { zone })}</p>
}
