import { isSignedInStill } from '../../../sign-in/session.ts'
import { playground } from '../conversation/store.ts'

/*
 * Keeps an unanswered question when the page is left, for example because the sign-in ended. It is only
 * kept in this tab, for the account that wrote it.
 */

const name = 'turnpike.playground.draft'

interface Draft {
  owner: string
  text: string
}

let owner: string | undefined

/** Restores this account's draft, and keeps the current one when the page is left. */
export function followDraft(accountId: string): void {
  if (owner === undefined) window.addEventListener('pagehide', keepDraft)
  owner = accountId
  const kept = readDraft()
  sessionStorage.removeItem(name)
  // Do not overwrite what is already being written.
  if (kept?.owner === accountId && playground.read().draft === '') playground.change({ draft: kept.text })
}

function keepDraft(): void {
  const text = unsentText()
  // A sign-out leaves no draft behind.
  if (owner === undefined || text.trim() === '' || !isSignedInStill()) {
    sessionStorage.removeItem(name)
    return
  }
  try {
    sessionStorage.setItem(name, JSON.stringify({ owner, text } satisfies Draft))
  } catch {
    // The session storage is full: a question of megabytes is lost.
    sessionStorage.removeItem(name)
  }
}

function readDraft(): Draft | undefined {
  const kept = sessionStorage.getItem(name)
  return kept === null ? undefined : (JSON.parse(kept) as Draft)
}

/** The text being written, or else the last question if no answer has started. */
function unsentText(): string {
  const { draft, conversation } = playground.read()
  const round = conversation.rounds.at(-1)
  if (draft !== '' || round === undefined) return draft
  const isAnswered = round.answers
    .flat()
    .some(({ text, reasoning, facts }) => text !== '' || reasoning !== '' || facts.state === 'done')
  return isAnswered ? '' : round.question.text
}
