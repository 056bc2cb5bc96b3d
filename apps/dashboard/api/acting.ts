/*
 * The account that this tab acts for: the signed-in person's own, or one of their organizations. It stays
 * the same for the lifetime of the document. Choosing another account loads a new document, so that nothing
 * of the previous account remains: no figures, no raw keys, no conversation of the playground.
 */

/** In the session storage of the tab. Empty: the person's own account. */
const choiceKey = 'turnpike.acts-for'
/** In the local storage of the browser, for tabs that are opened later. */
const lastChoiceKey = 'turnpike.last-acted-for'
/** Set when the organization was lost; the next page shows it once. */
const lostKey = 'turnpike.lost-organization'

let chosen: string | undefined

/** The account ID of the organization that this tab acts for; undefined: the person's own account. */
export function currentOrganization(): string | undefined {
  chosen ??= choiceOfTab()
  return chosen === '' ? undefined : chosen
}

function choiceOfTab(): string {
  const choice = sessionStorage.getItem(choiceKey) ?? localStorage.getItem(lastChoiceKey) ?? ''
  sessionStorage.setItem(choiceKey, choice)
  return choice
}

/** The account that a link in an email is about: `/budgets/bud_…?act_for=acct_…`. */
export function accountOfAddress(): string | undefined {
  const accountId = new URLSearchParams(location.search).get('act_for') ?? ''
  return /^acct_\w+$/.test(accountId) ? accountId : undefined
}

/**
 * Sets the account that this tab acts for, before its first request.
 * @param organizationId undefined: the person's own account
 */
export function beginActing(organizationId: string | undefined): void {
  sessionStorage.setItem(choiceKey, organizationId ?? '')
}

/**
 * Switches to another account and loads another page.
 * @param organizationId undefined: the person's own account
 * @param path the page to load
 */
export function actFor(organizationId: string | undefined, path = '/'): void {
  for (const [store, key] of [
    [sessionStorage, choiceKey],
    [localStorage, lastChoiceKey],
  ] as const)
    store.setItem(key, organizationId ?? '')
  location.assign(path)
}

/** The organization is gone, or the person is no longer a member: switches to their own account. */
export function loseOrganization(): void {
  sessionStorage.setItem(lostKey, 'yes')
  actFor(undefined)
}

/** Whether the organization was lost on the previous page. */
export function hasLostOrganization(): boolean {
  return sessionStorage.getItem(lostKey) !== null
}

export function noteLoss(): void {
  sessionStorage.removeItem(lostKey)
}

/** Called on sign-out: the next user has other organizations. */
export function forgetActing(): void {
  chosen = undefined
  sessionStorage.removeItem(choiceKey)
  sessionStorage.removeItem(lostKey)
  localStorage.removeItem(lastChoiceKey)
}
