import { floats, type Gray, inner } from './gray.ts'
import { correlate } from './sums.ts'

// Pictures of one design are laid onto one of them: by Lucas-Kanade, inverse compositional (Baker and Matthews, "Lucas-Kanade
// 20 Years On", 2004).

/** Maps points of one picture onto another: 3 x 3, row by row. A picture goes from -1 to 1 over its width. */
type Homography = readonly number[]
/** A picture and its smaller forms without their light, coarsest first. */
export type Pyramid = { whole: Gray; sizes: readonly Gray[] }
/** A picture that was laid as well as it can be. `fit`: how its grays follow those of the frame, from -1 to 1. */
type Laid = { fit: number; picture: Gray }

const SIZES = 5
export const pyramidOf = (whole: Gray): Pyramid => {
  const sizes: Gray[] = [whole]
  while (sizes.length < SIZES) sizes.unshift(half(sizes[0]!))
  return { whole, sizes: sizes.map(evenLight) }
}

/** One picture in the frame of another; undefined when they have nothing in common. */
export const layOnto = (picture: Pyramid, frame: Pyramid): Laid | undefined => {
  const found = align(frame.sizes, picture.sizes)
  return (
    found && {
      fit: found.fit,
      picture: { ...frame.whole, data: laid(inner(picture.whole), frame.whole, found.homography) },
    }
  )
}

/** The pixels with the steepest surroundings, which alone say how pictures lie on each other. */
type Level = { positions: Float64Array; values: Float64Array; steepness: Float64Array }

const half = ({ width, height, data }: Gray): Gray => {
  const [w, h] = [width >> 1, height >> 1]
  const mean = (at: number) => {
    const from = 2 * Math.floor(at / w) * width + 2 * (at % w)
    return (data[from]! + data[from + 1]! + data[from + width]! + data[from + width + 1]!) / 4
  }
  return { width: w, height: h, data: floats(w * h, mean) }
}

/** Each gray less the mean around it, by the spread of all: light from one side and contrast are gone. */
const evenLight = (gray: Gray): Gray => {
  const around = meanAround(gray, Math.max(2, Math.round(gray.width / 10)))
  const data = floats(gray.data.length, (at) => gray.data[at]! - around[at]!)
  let square = 0
  for (const value of data) if (value === value) square += value * value
  const spread = Math.sqrt(square / data.length + 1)
  return { ...gray, data: floats(data.length, (at) => data[at]! / spread) }
}

/** The mean of what is inside, by sums over rows and columns (Crow 1984). */
const meanAround = ({ width, height, data }: Gray, radius: number): Float32Array => {
  const sums = new Float64Array((width + 1) * (height + 1))
  const counts = new Float64Array((width + 1) * (height + 1))
  for (let y = 0; y < height; y++) {
    let sum = 0
    let count = 0
    for (let x = 0; x < width; x++) {
      const gray = data[y * width + x]!
      if (gray === gray) {
        sum += gray
        count++
      }
      const at = (y + 1) * (width + 1) + x + 1
      sums[at] = sums[at - width - 1]! + sum
      counts[at] = counts[at - width - 1]! + count
    }
  }
  return floats(data.length, (at) => {
    const x = at % width
    const y = Math.floor(at / width)
    const left = Math.max(0, x - radius)
    const right = Math.min(width, x + radius + 1)
    const top = Math.max(0, y - radius) * (width + 1)
    const bottom = Math.min(height, y + radius + 1) * (width + 1)
    const area = (of: Float64Array) => of[bottom + right]! - of[bottom + left]! - of[top + right]! + of[top + left]!
    return area(sums) / area(counts)
  })
}

/** The derivatives of the chosen pixels by the eight parameters of a homography, at the identity. */
const levelOf = ({ width, height, data }: Gray): Level => {
  const scale = width / 2
  const slopes = new Float64Array(2 * width * height)
  const squares = new Float64Array(width * height)
  for (let y = 1; y < height - 1; y++)
    for (let x = 1; x < width - 1; x++) {
      const at = y * width + x
      const across = ((data[at + 1]! - data[at - 1]!) / 2) * scale
      const down = ((data[at + width]! - data[at - width]!) / 2) * scale
      // Outside is next to it.
      if (!(across * down === across * down)) continue
      slopes[2 * at] = across
      slopes[2 * at + 1] = down
      squares[at] = across * across + down * down
    }
  const share = width <= 40 ? 0.7 : 0.2
  const least = Float64Array.from(squares).sort()[Math.floor(squares.length * (1 - share))]!
  const points = Array.from(squares.keys()).filter(
    (at) => squares[at]! >= least && squares[at]! > 0 && data[at] === data[at],
  )
  const positions = new Float64Array(points.length * 2)
  const steepness = new Float64Array(points.length * 8)
  points.forEach((at, i) => {
    const u = ((at % width) + 0.5) / scale - 1
    const v = (Math.floor(at / width) + 0.5 - height / 2) / scale
    const across = slopes[2 * at]!
    const down = slopes[2 * at + 1]!
    const along = across * u + down * v
    positions[2 * i] = u
    positions[2 * i + 1] = v
    const from = 8 * i
    steepness[from] = across * u
    steepness[from + 1] = across * v
    steepness[from + 2] = across
    steepness[from + 3] = down * u
    steepness[from + 4] = down * v
    steepness[from + 5] = down
    steepness[from + 6] = -along * u
    steepness[from + 7] = -along * v
  })
  return { positions, values: Float64Array.from(points, (at) => data[at]!), steepness }
}

/** The gray between four pixels; NaN outside. Coordinates of pixels. */
const grayAt = (data: Float32Array, width: number, height: number, x: number, y: number): number => {
  const x0 = Math.floor(x)
  const y0 = Math.floor(y)
  if (x0 < 0 || y0 < 0 || x0 + 1 >= width || y0 + 1 >= height) return Number.NaN
  const right = x - x0
  const at = y0 * width + x0
  const top = data[at]! * (1 - right) + data[at + 1]! * right
  const bottom = data[at + width]! * (1 - right) + data[at + width + 1]! * right
  return top + (bottom - top) * (y - y0)
}

const laid = ({ width, height, data }: Gray, frame: Gray, m: Homography): Float32Array => {
  const scale = frame.width / 2
  return floats(frame.width * frame.height, (at) => {
    const u = ((at % frame.width) + 0.5) / scale - 1
    const v = (Math.floor(at / frame.width) + 0.5 - frame.height / 2) / scale
    const w = m[6]! * u + m[7]! * v + m[8]!
    const x = ((m[0]! * u + m[1]! * v + m[2]!) / w + 1) * (width / 2) - 0.5
    const y = ((m[3]! * u + m[4]! * v + m[5]!) / w) * (width / 2) + height / 2 - 0.5
    return grayAt(data, width, height, x, y)
  })
}

type Aligned = { homography: Homography; fit: number }
/** The angles and sizes that photographers and croppers make. */
const starts: Homography[] = [-4.5, -1.5, 1.5, 4.5].flatMap((degrees) =>
  [0.9, 0.96, 1.02, 1.09].map((size) => {
    const [cos, sin] = [Math.cos((degrees * Math.PI) / 180) * size, Math.sin((degrees * Math.PI) / 180) * size]
    return [cos, -sin, 0, sin, cos, 0, 0, 0, 1]
  }),
)
/** Each level: how often it is improved, how many of the best go on, and by how many parameters. */
const plan = [
  { steps: 6, keep: 5, parameters: 6 },
  { steps: 8, keep: 2, parameters: 6 },
  { steps: 8, keep: 1, parameters: 8 },
  { steps: 6, keep: 1, parameters: 8 },
  { steps: 4, keep: 1, parameters: 8 },
] as const

const align = (frame: readonly Gray[], picture: readonly Gray[]): Aligned | undefined => {
  let found: Aligned[] = starts.map((homography) => ({ homography, fit: 0 }))
  for (const [i, { steps, keep, parameters }] of plan.entries()) {
    const level = levelOf(frame[i]!)
    found = found
      .map(({ homography }) => bestFrom(level, picture[i]!, homography, steps, parameters))
      .filter((one) => one !== undefined)
      .sort((a, b) => b.fit - a.fit)
      .slice(0, keep)
    if ((found[0]?.fit ?? 0) < NOTHING_IN_COMMON) return undefined
  }
  return found[0]
}
/** Below it no further step helps. */
const NOTHING_IN_COMMON = 0.3

const bestFrom = (frame: Level, picture: Gray, start: Homography, steps: number, parameters: 6 | 8) => {
  let best: Aligned | undefined
  let homography = start
  for (let i = 0; i < steps; i++) {
    const step = improve(frame, picture, homography, parameters)
    if (!step) break
    if (step.fit > (best?.fit ?? -1)) best = { homography, fit: step.fit }
    homography = step.next
  }
  return best
}

/** How well the picture lies on the frame, from -1 to 1, and how it may lie better. */
const improve = ({ positions, values, steepness }: Level, picture: Gray, m: Homography, parameters: 6 | 8) => {
  const { width, height, data } = picture
  const below = new Float64Array(values.length)
  const sums = { n: 0, s: 0, t: 0, ss: 0, tt: 0, st: 0 }
  const [a, b, c, d, e, f, g, h, k] = m as [number, number, number, number, number, number, number, number, number]
  for (let i = 0; i < values.length; i++) {
    const u = positions[2 * i]!
    const v = positions[2 * i + 1]!
    const w = g * u + h * v + k
    const x = ((a * u + b * v + c) / w + 1) * (width / 2) - 0.5
    const y = ((d * u + e * v + f) / w) * (width / 2) + height / 2 - 0.5
    const gray = grayAt(data, width, height, x, y)
    below[i] = gray
    if (gray !== gray) continue
    const value = values[i]!
    sums.n++
    sums.s += value
    sums.t += gray
    sums.ss += value * value
    sums.tt += gray * gray
    sums.st += value * gray
  }
  const overlap = sums.n / values.length
  if (overlap < 0.5) return undefined
  const { means, spreads, fit } = correlate(sums)
  const gain = Math.sqrt(spreads[0] / (spreads[1] + 1e-9))
  const matrix = new Float64Array(parameters * parameters)
  const right = new Float64Array(parameters)
  for (let i = 0; i < values.length; i++) {
    const gray = below[i]!
    if (gray !== gray) continue
    const error = (gray - means[1]) * gain - (values[i]! - means[0])
    // Digits that differ must not pull.
    const weight = 1 / (1 + Math.abs(error))
    for (let p = 0; p < parameters; p++) {
      const steep = steepness[8 * i + p]! * weight
      right[p]! += steep * error
      for (let q = p; q < parameters; q++) matrix[p * parameters + q]! += steep * steepness[8 * i + q]!
    }
  }
  for (let p = 0; p < parameters; p++) {
    for (let q = 0; q < p; q++) matrix[p * parameters + q] = matrix[q * parameters + p]!
    matrix[p * parameters + p]! *= 1.001
  }
  const by = solve(matrix, right)
  if (!by) return undefined
  const step = [1 + by[0]!, by[1]!, by[2]!, by[3]!, 1 + by[4]!, by[5]!, by[6] ?? 0, by[7] ?? 0, 1]
  return { fit: fit * Math.min(1, overlap + 0.15), next: multiply(m, invert(step)) }
}

const multiply = (a: Homography, b: Homography): number[] => {
  const cell = (_: unknown, at: number) => {
    const [row, column] = [3 * Math.floor(at / 3), at % 3]
    return a[row]! * b[column]! + a[row + 1]! * b[column + 3]! + a[row + 2]! * b[column + 6]!
  }
  const out = Array.from({ length: 9 }, cell)
  return out.map((value) => value / out[8]!)
}

const invert = (m: Homography): number[] => {
  const minor = (p: number, q: number, r: number, s: number) => m[p]! * m[s]! - m[q]! * m[r]!
  const out = [
    minor(4, 5, 7, 8),
    minor(2, 1, 8, 7),
    minor(1, 2, 4, 5),
    minor(5, 3, 8, 6),
    minor(0, 2, 6, 8),
    minor(2, 0, 5, 3),
    minor(3, 4, 6, 7),
    minor(1, 0, 7, 6),
    minor(0, 1, 3, 4),
  ]
  return out.map((value) => value / out[8]!)
}

/** Gauss with the largest pivot, in place; undefined when there is no one solution. */
const solve = (matrix: Float64Array, right: Float64Array): Float64Array | undefined => {
  const n = right.length
  const cell = (row: number, column: number) => matrix[row * n + column]!
  for (let i = 0; i < n; i++) {
    let pivot = i
    for (let row = i + 1; row < n; row++) if (Math.abs(cell(row, i)) > Math.abs(cell(pivot, i))) pivot = row
    if (Math.abs(cell(pivot, i)) < 1e-9) return undefined
    for (let column = 0; column < n; column++)
      [matrix[i * n + column], matrix[pivot * n + column]] = [cell(pivot, column), cell(i, column)]
    ;[right[i], right[pivot]] = [right[pivot]!, right[i]!]
    for (let row = i + 1; row < n; row++) {
      const by = cell(row, i) / cell(i, i)
      for (let column = i; column < n; column++) matrix[row * n + column]! -= by * cell(i, column)
      right[row]! -= by * right[i]!
    }
  }
  for (let i = n - 1; i >= 0; i--) {
    for (let column = i + 1; column < n; column++) right[i]! -= cell(i, column) * right[column]!
    right[i]! /= cell(i, i)
  }
  return right
}
