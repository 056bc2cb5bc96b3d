import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

export const phone = { width: 375, height: 740 }
export const screen = { width: 1440, height: 900 }
/** The narrowest phone that is supported. */
const narrow = { width: 360, height: 740 }

interface Violation {
  id: string
  nodes: { html: string; failureSummary?: string }[]
}

/**
 * Checks that the page is accessible in both themes, on a desktop and on a phone, and fits the narrowest
 * one. The rules are injected into the page, so the visitor's browser must bypass its policy.
 */
export async function expectAccessible(page: Page): Promise<void> {
  for (const viewport of [screen, phone])
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize(viewport)
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await settled(page)
      expect(await violations(page), `${colorScheme}, ${viewport.width} px`).toEqual([])
    }
  await page.setViewportSize(narrow)
  const beyond = (): Promise<unknown> => page.evaluate('document.documentElement.scrollWidth - innerWidth')
  await expect.poll(beyond, { timeout: 5_000 }).toBeLessThanOrEqual(0)
}

/** The same, and then resizes the window back to a desktop. */
export async function expectPage(page: Page): Promise<void> {
  await expectAccessible(page)
  await page.setViewportSize(screen)
  // A click may miss its target while the page still changes its layout.
  await settled(page)
}

/** Waits for transitions to end, because the final colors are checked. */
async function settled(page: Page): Promise<void> {
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
  await page.waitForFunction(
    'document.getAnimations().every(({ effect }) => effect.getComputedTiming().iterations === Infinity)',
  )
}

async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  const found = (await page.evaluate(
    `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations)`,
  )) as Violation[]
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary ?? ''}`),
  )
}
