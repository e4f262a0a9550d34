/// <reference lib="dom" />
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, type Page } from '@playwright/test'
import type { AxeResults, ElementContext, RunOptions } from 'axe-core'

/** The small build: the usual one is 1.5 MB of script, which the browser would parse for each page. */
const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

type Axe = { run: (context: ElementContext, options: RunOptions) => Promise<AxeResults> }

/**
 * What axe finds wrong on the page, or in a part of it. A page keeps axe until it is left, because loading it takes as
 * long as using it. It lists only what is wrong; the nodes that pass are most of its work.
 */
export const faultsOf = async (
  page: Page,
  { within, ...options }: Pick<RunOptions, 'runOnly'> & { within?: string } = {},
): Promise<string[]> => {
  for (const frame of page.frames()) if (!(await frame.evaluate(() => 'axe' in window))) await frame.evaluate(source)
  const { violations } = await page.evaluate(
    ([selector, chosen]) => {
      const { axe } = window as unknown as { axe: Axe }
      return axe.run(selector ?? document, { resultTypes: ['violations'], ...chosen })
    },
    [within, options] as const,
  )
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, any }) => `${id} ${html.slice(0, 160)} ${any[0]?.message ?? ''}`),
  )
}

/** All rules of axe. */
export const expectNoFaults = async (page: Page) => expect(await faultsOf(page)).toEqual([])

/** WCAG 2.2 AA, as far as axe can check it. */
export const expectAccessible = async (page: Page) =>
  expect(await faultsOf(page, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'] })).toEqual([])
