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
