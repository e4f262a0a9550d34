import type { Answer } from '@tallyroom/contract'
import { showPoints } from '@tallyroom/contract/points'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import UPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { useColourScheme } from '../../theme/use-theme.ts'
import { pointsOf } from '../../ui/points-of.ts'

type Days = Answer<'report/sr02'>['days']
type Props = { days: Days; label: string; words: readonly [string, string] }

/** A chart may round; the text below it is exact. */
const toNumber = (text: string) => Number(text)

/**
 * Points in and out by day, in the theme's colours. The arrow keys move from day to day, and the text below shows the
 * day's values.
 */
export const Chart = ({ days, label, words }: Props) => {
  const scheme = useColourScheme()
  const box = useRef<HTMLDivElement>(null)
  const plot = useRef<UPlot>(undefined)
  const [at, setAt] = useState<number>()

  useEffect(() => {
    const host = box.current
    if (!host) return
    const chart = new UPlot(optionsFor(host, days, setAt), dataOf(days), host)
    plot.current = chart
    const observer = new ResizeObserver(() => chart.setSize(sizeOf(host)))
    observer.observe(host)
    return () => {
      observer.disconnect()
      chart.destroy()
    }
    // `scheme`: the canvas cannot read custom properties, so the chart is created again for another colour scheme.
  }, [days, scheme])

  const move = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    const next = Math.min(days.length - 1, Math.max(0, (at ?? (step > 0 ? -1 : days.length)) + step))
    setAt(next)
    plot.current?.setCursor({ left: plot.current.valToPos(next, 'x'), top: 0 })
  }
  const day = at === undefined ? undefined : days[at]
  return (
    <>
      <div ref={box} className="report-chart" role="img" aria-label={label} tabIndex={0} onKeyDown={move} />
      <p className="report-said points" role="status">
        {day &&
          `${day.day} · ${words[0]} +${showPoints(pointsOf(day.total_in))} · ${words[1]} −${showPoints(pointsOf(day.total_out))}`}
      </p>
    </>
  )
}

const dataOf = (days: Days): UPlot.AlignedData => [
  days.map((_, index) => index),
  days.map((row) => toNumber(row.total_in)),
  days.map((row) => toNumber(row.total_out)),
]

const sizeOf = (host: HTMLElement) => ({ width: host.clientWidth, height: host.clientHeight })

/** Two bars of a day stand side by side; colour alone does not tell them apart, so one is filled and one outlined. */
const barOf = (stroke: string, fill: string, align: 1 | -1): UPlot.Series => {
  const paths = UPlot.paths.bars?.({ size: [0.36, 16, 1], align, radius: 0.15, gap: 1 })
  return { stroke, fill, width: 1.2, points: { show: false }, ...(paths ? { paths } : {}) }
}

/** Steps of an axis that need no rounding: 0, 500, 1K, and not 0, 250, 500, 750, 1K as "0.3K" and "0.8K". */
const ROUND = Array.from({ length: 14 }, (_, power) => [1, 2, 5].map((step) => step * 10 ** (power - 2))).flat()

const optionsFor = (host: HTMLElement, days: Days, onDay: (at: number | undefined) => void): UPlot.Options => {
  const colour = (name: string) => getComputedStyle(host).getPropertyValue(name).trim()
  const axis = { stroke: colour('--text-2'), ticks: { show: false }, gap: 6 }
  const line = { stroke: colour('--line'), width: 1 }
  const short = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 })
  return {
    ...sizeOf(host),
    padding: [8, 0, 0, 0],
    // Half a day at both ends: the bars of the first and the last day would be cut.
    scales: { x: { time: false, range: [-0.5, days.length - 0.5] } },
    legend: { show: false },
    cursor: { drag: { x: false, y: false }, points: { show: false }, y: false },
    hooks: { setCursor: [(plot) => onDay(plot.cursor.idx ?? undefined)] },
    series: [{}, barOf(colour('--in'), colour('--in'), -1), barOf(colour('--out'), colour('--out-soft'), 1)],
    axes: [
      {
        ...axis,
        size: 28,
        grid: { show: false },
        border: { show: true, stroke: colour('--line-strong'), width: 1 },
        incrs: [1, 2, 5, 7, 14, 30, 61, 122],
        values: (_, at) => at.map((index) => days[index]?.day.slice(5) ?? ''),
      },
      { ...axis, size: 48, grid: line, incrs: ROUND, values: (_, at) => at.map((value) => short.format(value)) },
    ],
  }
}
