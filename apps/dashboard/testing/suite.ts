import type { Browser, Page } from 'playwright-core'
import { afterAll, describe } from 'vitest'
import { findChromium } from '../../../tests/browser/chromium.ts'
import type { TestNode } from '../../../tests/nodes/test-node.ts'
import { openDashboard, type Visitor } from './visitor.ts'

const chromium = findChromium()

/** A suite of tests that need a browser; without one, they are skipped. */
export const describeInBrowser = describe.skipIf(chromium === undefined)

interface Opened {
  browser: Browser
  node: TestNode
  visitor: Visitor
  /** The visitor's page. */
  page: Page
}

/**
 * @returns a function that opens the dashboard of the suite's own node; browser and node stop after its
 * tests.
 */
export function dashboardOfSuite(): (
  options?: Parameters<typeof openDashboard>[1],
  input?: Parameters<typeof openDashboard>[2],
) => Promise<Opened> {
  let opened: Opened | undefined
  afterAll(async () => {
    await opened?.browser.close()
    await opened?.node.stop()
  })
  return async (options, input) => {
    const dashboard = await openDashboard(chromium!, options, input)
    opened = { ...dashboard, page: dashboard.visitor.page }
    return opened
  }
}
