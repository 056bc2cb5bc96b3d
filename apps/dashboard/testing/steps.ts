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
