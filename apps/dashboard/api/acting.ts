/*
 * For whom this tab asks: the account of whoever signed in, or an organization of theirs. It is one for as
 * long as the document lives: who chooses another one begins anew, so that nothing of the account before is
 * left in it, neither figures, nor raw keys, nor what the playground talks of.
 */

/** Of the tab. Empty: the person's own account. */
const choiceKey = 'turnpike.acts-for'
/** Of the browser, for tabs that are opened later. */
const lastChoiceKey = 'turnpike.last-acted-for'
/** Told once, on the page after it. */
const lostKey = 'turnpike.lost-organization'

let chosen: string | undefined

/** The account of the organization that is acted for; undefined: the person's own. */
export function currentOrganization(): string | undefined {
  chosen ??= choiceOfTab()
  return chosen === '' ? undefined : chosen
}

function choiceOfTab(): string {
  const choice = sessionStorage.getItem(choiceKey) ?? localStorage.getItem(lastChoiceKey) ?? ''
  sessionStorage.setItem(choiceKey, choice)
  return choice
}

/** The account whose page a link of a mail leads to: `/budgets/bud_…?act_for=acct_…`. */
export function accountOfAddress(): string | undefined {
  const named = new URLSearchParams(location.search).get('act_for') ?? ''
  return /^acct_\w+$/.test(named) ? named : undefined
}

/**
 * What this tab acts for, before it has asked for anything.
 * @param organizationId undefined: the person's own account
 */
export function beginActing(organizationId: string | undefined): void {
  sessionStorage.setItem(choiceKey, organizationId ?? '')
}

/**
 * Acts for another account from now on, on another page.
 * @param organizationId undefined: the person's own
 * @param path where to go
 */
export function actFor(organizationId: string | undefined, path = '/'): void {
  for (const [store, key] of [
    [sessionStorage, choiceKey],
    [localStorage, lastChoiceKey],
  ] as const)
    store.setItem(key, organizationId ?? '')
  location.assign(path)
}

/** The organization is gone, or the person is no member of it any more: on with their own account. */
export function loseOrganization(): void {
  sessionStorage.setItem(lostKey, 'yes')
  actFor(undefined)
}

/** Whether the page before this one lost its organization. */
export function hasLostOrganization(): boolean {
  return sessionStorage.getItem(lostKey) !== null
}

export function noteLoss(): void {
  sessionStorage.removeItem(lostKey)
}

/** Whoever signs in next has organizations of their own. */
export function forgetActing(): void {
  chosen = undefined
  sessionStorage.removeItem(choiceKey)
  sessionStorage.removeItem(lostKey)
  localStorage.removeItem(lastChoiceKey)
}
