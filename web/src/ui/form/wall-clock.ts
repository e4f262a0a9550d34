import generateConfig from '@rc-component/picker/generate/dayjs'
import dayjs, { type Dayjs } from 'dayjs'
import utc from 'dayjs/plugin/utc'
import { showNow } from '../../i18n/time.ts'

dayjs.extend(utc)

/**
 * A time as a clock on the wall shows it. Read in the browser's zone, the hour that this zone skips once a year could
 * neither be shown nor chosen; UTC skips none.
 */
export const wallClock = (text: string, format?: string, strict?: boolean): Dayjs => dayjs.utc(text, format, strict)

/** What the calendar of antd needs: its "today" is the platform's, and what is typed is no time of the browser's zone. */
export const wallClockConfig: typeof generateConfig = {
  ...generateConfig,
  getNow: () => wallClock(showNow()),
  getFixedDate: (text) => wallClock(text),
  locale: {
    ...generateConfig.locale,
    parse: (_, text, formats) =>
      formats.map((format) => wallClock(text, format, true)).find((time) => time.isValid()) ?? null,
  },
}
