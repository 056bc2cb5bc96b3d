import type { Locator, Page } from 'playwright-core'

/** What a person does on any page, by the names that they read there. */

export function dialog(page: Page): Locator {
  return page.getByRole('dialog')
}

export function press(within: Page | Locator, name: string): Promise<void> {
  return within.getByRole('button', { name, exact: true }).click()
}

/** To another page, by its link. */
export function go(page: Page, name: string): Promise<void> {
  return page.getByRole('link', { name, exact: true }).click()
}

/** Waits for the page of this name. */
export function heading(page: Page, name: string): Promise<void> {
  return page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
}

/** In a field of the dialog that offers several. */
export async function choose(page: Page, field: string, option: string | RegExp): Promise<void> {
  await dialog(page).getByRole('combobox', { name: field, exact: true }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

/** Pays so many USD at the checkout, which opens in a tab of its own, and waits until they have arrived. */
export async function payAtCheckout(page: Page, usd = 25): Promise<void> {
  const opened = page.context().waitForEvent('page')
  await press(page, 'Go to the checkout')
  const checkout = await opened
  await press(checkout, `Pay ${usd} USD of play money`)
  await checkout.getByRole('heading', { name: 'Payment received' }).waitFor()
  await checkout.close()
  await page.getByText(`$${usd}.00 received`).waitFor()
}
