import { encode } from 'uqr'

/** SET-07 gives the sizes in px. */
const CANVAS = { width: 1200, height: 1289 }
const QR = 390
const LABEL = { width: 400, height: 30 }
const qrAt = { x: (CANVAS.width - QR) / 2, y: 470 }
const labelAt = { x: (CANVAS.width - LABEL.width) / 2, y: qrAt.y + QR + 20 }

type Poster = {
  link: string
  /** Text of the label below the code. */
  label: string
  /** Heading above the code, without a picture. */
  title: string
  lead: string
  picture: ImageBitmap | undefined
  /** The look of the group, as its members' page has it. */
  group: { picture: ImageBitmap | undefined; ground: string; text: string }
}

/** Draws the whole poster. The same input gives the same image. */
export const drawPoster = (canvas: HTMLCanvasElement, { link, label, title, lead, picture, group }: Poster): void => {
  canvas.width = CANVAS.width
  canvas.height = CANVAS.height
  const context = canvas.getContext('2d')
  if (!context) return
  if (picture) context.drawImage(picture, 0, 0, CANVAS.width, CANVAS.height)
  else drawBackground(canvas, context, { title, lead, group })
  drawQr(context, link)
  drawLabel(canvas, context, label)
}

const fontOf = (canvas: HTMLCanvasElement) => getComputedStyle(canvas).fontFamily

const drawBackground = (
  canvas: HTMLCanvasElement,
  context: CanvasRenderingContext2D,
  { title, lead, group }: Pick<Poster, 'title' | 'lead' | 'group'>,
) => {
  const style = getComputedStyle(document.documentElement)
  context.fillStyle = group.ground || style.getPropertyValue('--accent').trim() || '#0958d9'
  context.fillRect(0, 0, CANVAS.width, CANVAS.height)
  context.fillStyle = '#ffffff'
  context.beginPath()
  context.roundRect(qrAt.x - 60, qrAt.y - 60, QR + 120, QR + LABEL.height + 140, 40)
  context.fill()
  context.textAlign = 'center'
  context.textBaseline = 'middle'
  if (group.picture) drawRound(context, group.picture, { at: 150, radius: 95 })
  context.fillStyle = group.text || '#ffffff'
  writeFitted(context, title, { at: group.picture ? 320 : 220, size: 84, weight: 700, family: fontOf(canvas) })
  writeFitted(context, lead, { at: 1130, size: 56, weight: 400, family: fontOf(canvas) })
}

/** A picture cut to a circle, as people are shown everywhere. */
const drawRound = (
  context: CanvasRenderingContext2D,
  picture: ImageBitmap,
  { at, radius }: { at: number; radius: number },
) => {
  const side = Math.min(picture.width, picture.height)
  const [left, top] = [(picture.width - side) / 2, (picture.height - side) / 2]
  context.save()
  context.beginPath()
  context.arc(CANVAS.width / 2, at, radius, 0, 2 * Math.PI)
  context.clip()
  const [x, y] = [CANVAS.width / 2 - radius, at - radius]
  context.drawImage(picture, left, top, side, side, x, y, 2 * radius, 2 * radius)
  context.restore()
}

type TextLine = { at: number; size: number; weight: number; family: string }
const writeFitted = (context: CanvasRenderingContext2D, text: string, { at, size, weight, family }: TextLine) => {
  context.font = `${weight} ${size}px ${family}`
  const wide = context.measureText(text).width
  if (wide > CANVAS.width - 160)
    context.font = `${weight} ${Math.floor((size * (CANVAS.width - 160)) / wide)}px ${family}`
  context.fillText(text, CANVAS.width / 2, at)
}

/** Black on white with the quiet zone that cameras need, every edge on a whole pixel. */
const drawQr = (context: CanvasRenderingContext2D, link: string) => {
  const { data, size } = encode(link, { ecc: 'M', border: 4 })
  const edge = (n: number) => Math.round((n * QR) / size)
  context.fillStyle = '#ffffff'
  context.fillRect(qrAt.x, qrAt.y, QR, QR)
  context.fillStyle = '#000000'
  data.forEach((row, y) =>
    row.forEach((dark, x) => {
      if (dark) context.fillRect(qrAt.x + edge(x), qrAt.y + edge(y), edge(x + 1) - edge(x), edge(y + 1) - edge(y))
    }),
  )
}

const drawLabel = (canvas: HTMLCanvasElement, context: CanvasRenderingContext2D, label: string) => {
  context.fillStyle = '#ffffff'
  context.fillRect(labelAt.x, labelAt.y, LABEL.width, LABEL.height)
  context.fillStyle = '#1a1f27'
  context.textAlign = 'center'
  context.textBaseline = 'middle'
  context.font = `600 22px ${fontOf(canvas)}`
  context.fillText(label, CANVAS.width / 2, labelAt.y + LABEL.height / 2 + 1, LABEL.width - 16)
}
