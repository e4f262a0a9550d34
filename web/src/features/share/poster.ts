import { encode } from 'uqr'

/** SET-07, to the pixel. */
const CANVAS = { width: 1200, height: 1289 }
const QR = 390
const LABEL = { width: 400, height: 30 }
const qrAt = { x: (CANVAS.width - QR) / 2, y: 470 }
const labelAt = { x: (CANVAS.width - LABEL.width) / 2, y: qrAt.y + QR + 20 }

type Poster = {
  link: string
  /** In the label below the code. */
  label: string
  /** Above it, where there is no picture. */
  title: string
  lead: string
  picture: ImageBitmap | undefined
}

/** Draws the whole poster; the same input is the same picture. */
export const drawPoster = (canvas: HTMLCanvasElement, { link, label, title, lead, picture }: Poster): void => {
  canvas.width = CANVAS.width
  canvas.height = CANVAS.height
  const pen = canvas.getContext('2d')
  if (!pen) return
  if (picture) pen.drawImage(picture, 0, 0, CANVAS.width, CANVAS.height)
  else drawGround(canvas, pen, title, lead)
  drawQr(pen, link)
  drawLabel(canvas, pen, label)
}

const fontOf = (canvas: HTMLCanvasElement) => getComputedStyle(canvas).fontFamily

const drawGround = (canvas: HTMLCanvasElement, pen: CanvasRenderingContext2D, title: string, lead: string) => {
  const style = getComputedStyle(document.documentElement)
  pen.fillStyle = style.getPropertyValue('--accent').trim() || '#0958d9'
  pen.fillRect(0, 0, CANVAS.width, CANVAS.height)
  pen.fillStyle = '#ffffff'
  pen.beginPath()
  pen.roundRect(qrAt.x - 60, qrAt.y - 60, QR + 120, QR + LABEL.height + 140, 40)
  pen.fill()
  pen.textAlign = 'center'
  pen.textBaseline = 'middle'
  writeFitted(pen, title, { at: 190, size: 84, weight: 700, family: fontOf(canvas) })
  writeFitted(pen, lead, { at: 310, size: 44, weight: 400, family: fontOf(canvas) })
}

type Line = { at: number; size: number; weight: number; family: string }
const writeFitted = (pen: CanvasRenderingContext2D, text: string, { at, size, weight, family }: Line) => {
  pen.font = `${weight} ${size}px ${family}`
  const wide = pen.measureText(text).width
  if (wide > CANVAS.width - 160) pen.font = `${weight} ${Math.floor((size * (CANVAS.width - 160)) / wide)}px ${family}`
  pen.fillText(text, CANVAS.width / 2, at)
}

/** Black on white with the quiet margin that cameras need, every edge on a whole pixel. */
const drawQr = (pen: CanvasRenderingContext2D, link: string) => {
  const { data, size } = encode(link, { ecc: 'M', border: 4 })
  const edge = (n: number) => Math.round((n * QR) / size)
  pen.fillStyle = '#ffffff'
  pen.fillRect(qrAt.x, qrAt.y, QR, QR)
  pen.fillStyle = '#000000'
  data.forEach((row, y) =>
    row.forEach((dark, x) => {
      if (dark) pen.fillRect(qrAt.x + edge(x), qrAt.y + edge(y), edge(x + 1) - edge(x), edge(y + 1) - edge(y))
    }),
  )
}

const drawLabel = (canvas: HTMLCanvasElement, pen: CanvasRenderingContext2D, label: string) => {
  pen.fillStyle = '#ffffff'
  pen.fillRect(labelAt.x, labelAt.y, LABEL.width, LABEL.height)
  pen.fillStyle = '#1a1f27'
  pen.textAlign = 'center'
  pen.textBaseline = 'middle'
  pen.font = `600 22px ${fontOf(canvas)}`
  pen.fillText(label, CANVAS.width / 2, labelAt.y + LABEL.height / 2 + 1, LABEL.width - 16)
}
