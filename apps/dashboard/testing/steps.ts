import type { Locator, Page } from 'playwright-core'

/** What a user does on any page, by the names that are visible there. */

export function dialog(page: Page): Locator {
  return page.getByRole('dialog')
}

export function press(within: Page | Locator, name: string): Promise<void> {
  return within.getByRole('button', { name, exact: true }).click()
}

/** Opens another page by its link. */
export function go(page: Page, name: string): Promise<void> {
  return page.getByRole('link', { name, exact: true }).click()
}

/** Waits for the page with this heading. */
export function heading(page: Page, name: string): Promise<void> {
  return page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
}

/** Chooses an option in a select of the dialog. */
export async function choose(page: Page, field: string, option: string | RegExp): Promise<void> {
  await dialog(page).getByRole('combobox', { name: field, exact: true }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

/** Opens the dialog of an action on a key. */
export async function keyAction(page: Page, key: string, action: string): Promise<void> {
  await page
    .getByRole('button', { name: `Actions of ${key}`, exact: true })
    .first()
    .click()
  await page.getByRole('menuitem', { name: action, exact: true }).click()
  await dialog(page).waitFor()
}

/** The texts of a table's rows, once it has any. */
export async function rowsOf(page: Page, table: string): Promise<string[]> {
  const rows = page.getByRole('region', { name: table }).getByRole('row')
  await rows.nth(1).waitFor()
  return (await rows.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ').trim())
}

/** Pays at the checkout, which opens in its own tab, and waits until the credit has arrived. */
export async function payAtCheckout(page: Page, usd = 25): Promise<void> {
  const opened = page.context().waitForEvent('page')
  await press(page, 'Go to the checkout')
  const checkout = await opened
  await press(checkout, `Pay ${usd} USD of play money`)
  await checkout.getByRole('heading', { name: 'Payment received' }).waitFor()
  await checkout.close()
  await page.getByText(`$${usd}.00 received`).waitFor()
}
