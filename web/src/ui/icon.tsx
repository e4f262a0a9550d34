/** Line drawings on a 24 by 24 grid: light enough for rows of long lists and for the pages without antd. */
const drawings = {
  menu: 'M3 6h18M3 12h18M3 18h18',
  close: 'M6 6l12 12M18 6L6 18',
  edit: 'M4 20h4L19 9l-4-4L4 16zM13 7l4 4',
  freeze: 'M12 2v20M3.5 7l17 10M20.5 7l-17 10M9 3.5l3 3 3-3M9 20.5l3-3 3 3',
  transfer: 'M4 8h15l-4-4M20 16H5l4 4',
  deposit: 'M12 3v12M7 10l5 5 5-5M4 16v5h16v-5',
  plus: 'M12 5v14M5 12h14',
  search: 'M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14M21 21l-5-5',
  globe: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18M3 12h18M12 3c3.5 4 3.5 14 0 18M12 3c-3.5 4-3.5 14 0 18',
  moon: 'M20 14A8.5 8.5 0 1 1 10 4a7 7 0 0 0 10 10',
  sun: 'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8M12 2v2M12 20v2M4 12H2M22 12h-2M5 5l1.5 1.5M17.5 17.5L19 19M19 5l-1.5 1.5M6.5 17.5L5 19',
  palette:
    'M12 3a9 9 0 1 0 0 18c2 0 2-1.5 1.3-2.5S13 15 15 15h2.5A3.5 3.5 0 0 0 21 11.5C21 6.8 17 3 12 3M7.5 12h.01M9.5 7.5h.01M14.5 7.5h.01',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  home: 'M3 11l9-8 9 8v10h-6v-6H9v6H3z',
  user: 'M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8M4 21c0-4 4-7 8-7s8 3 8 7',
  contacts: 'M9 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8M2 21c0-4 3-7 7-7s7 3 7 7M16 4.5a4 4 0 0 1 0 7M18 14.5c2.5 1 4 3.5 4 6.5',
  agent: 'M9 3h6v5H9zM3 16h6v5H3zM15 16h6v5h-6zM12 8v4M6 16v-4h12v4',
  headset: 'M4 14v-2a8 8 0 0 1 16 0v2M4 14h3v5H4zM17 14h3v5h-3zM19 19c0 2-3 3-6 3',
  bot: 'M5 9h14v10H5zM12 9V5M12 5h.01M9 13v1.5M15 13v1.5M2.5 13v3M21.5 13v3',
  chat: 'M21 12a8.5 8.5 0 0 1-12 7.7L4 21l1.3-4.7A8.5 8.5 0 1 1 21 12',
  list: 'M8 6h13M8 12h13M8 18h13M3 6h.01M3 12h.01M3 18h.01',
  chart: 'M5 20V11M11 20V4M17 20v-6M2 20h20',
  sliders:
    'M4 6h8M18 6h2M4 12h2M12 12h8M4 18h10M20 18h0M15 4a2 2 0 1 0 0 4 2 2 0 0 0 0-4M9 10a2 2 0 1 0 0 4 2 2 0 0 0 0-4M17 16a2 2 0 1 0 0 4 2 2 0 0 0 0-4',
  page: 'M6 3h8l4 4v14H6zM14 3v4h4',
  qr: 'M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h2v2h-2zM18 14h2v2h-2zM14 18h2v2h-2zM18 18h2v2h-2z',
  gear: 'M12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6M12 2v4M12 18v4M2 12h4M18 12h4M5 5l2.8 2.8M16.2 16.2L19 19M19 5l-2.8 2.8M7.8 16.2L5 19',
  logout: 'M10 4H4v16h6M15 8l4 4-4 4M19 12H9',
  up: 'M12 20V5M5 12l7-7 7 7',
  chevronDown: 'M6 9l6 6 6-6',
  chevronRight: 'M9 6l6 6-6 6',
  chevronLeft: 'M15 6l-6 6 6 6',
  more: 'M5 12h.01M12 12h.01M19 12h.01',
  check: 'M5 12.5l4.5 4.5L19 7',
  alert: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18M12 7.5v5.5M12 16.5h.01',
  refresh: 'M20 11a8 8 0 1 0-2.3 6.3M20 5v6h-6',
  image: 'M4 5h16v14H4zM4 16l5-5 4 4 2-2 5 5M15 9h.01',
  lock: 'M6 11h12v10H6zM8.5 11V7.5a3.5 3.5 0 0 1 7 0V11',
  minus: 'M5 12h14',
  send: 'M4 12L20 4l-5 16-3.5-6.5zM11.5 13.5L20 4',
  points: 'M5 10h14v10H5zM5 14h14M12 10v10M12 10S7 10 7 7s4-2 5 3M12 10s5 0 5-3-4-2-5 3',
  checks: 'M2 13l4 4L15 7M11 16l1 1L22 7',
  checksRead: 'M2 11l4 4L15 5M11 14l1 1L22 5M6 21h13',
  calendar: 'M4 6h16v14H4zM4 10h16M8 3v4M16 3v4',
  clock: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18M12 7v5l3 2',
  hourglass: 'M7 3h10M7 21h10M8 3v4l4 5 4-5V3M8 21v-4l4-5 4 5v4',
  takenBack: 'M9 5L4 10l5 5M4 10h10a5 5 0 0 1 0 10h-3',
  star: 'M12 4l2.5 5.2 5.5.8-4 4 1 5.7-5-2.7-5 2.7 1-5.7-4-4 5.5-.8z',
  eye: 'M3 12s3.5-6 9-6 9 6 9 6-3.5 6-9 6-9-6-9-6M12 9.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5',
  hidden: 'M3 12s3.5-6 9-6 9 6 9 6-3.5 6-9 6-9-6-9-6M4 4l16 16',
  wallet: 'M4 7h15v12H4zM4 7l11-3v3M15 13h.01',
  history: 'M4 5v5h5M4.5 10A8 8 0 1 1 4 13M12 8v5l3 2',
  bolt: 'M13 3L5 13.5h6L10 21l9-11.5h-6.5z',
  notebook: 'M6 3h13v18H6zM6 8H4M6 12H4M6 16H4M10 8h5M10 12h5',
  trash: 'M4 7h16M9 7V4h6v3M6 7l1 14h10l1-14M10 11v6M14 11v6',
  bell: 'M6 17V11a6 6 0 0 1 12 0v6l2 2H4zM10 21.5h4',
  bellRings: 'M6 17V11a6 6 0 0 1 12 0v6l2 2H4zM10 21.5h4M3 9a9 9 0 0 1 3-5.5M21 9a9 9 0 0 0-3-5.5',
  bellOff: 'M6 17V11a6 6 0 0 1 12 0v6l2 2H4zM10 21.5h4M3 3l18 18',
  phoneRings: 'M4 3h9v18H4zM8 17.5h1M16.5 8a5.5 5.5 0 0 1 0 8M19.5 5a10 10 0 0 1 0 14',
  phoneOff: 'M7 3h10v18H7zM11.5 17.5h1M3 3l18 18',
  whisper: 'M4 5h16v11H10l-4 4v-4H4zM8 10.5h.01M12 10.5h.01M16 10.5h.01',
} as const

export type IconName = keyof typeof drawings

/** Always beside words or inside of something with a name: it says nothing by itself. */
export const Icon = ({ name, size = 18 }: { name: IconName; size?: number }) => (
  <svg className="icon" width={size} height={size} viewBox="0 0 24 24" aria-hidden="true">
    <path d={drawings[name]} />
  </svg>
)
