import { isSignedInStill } from '../../../sign-in/session.ts'
import { playground } from '../conversation/store.ts'

/*
 * A question that was not answered when the page went: where a session ends, the page begins anew. It waits
 * in this tab alone, for the account that wrote it.
 */

const name = 'turnpike.playground.draft'

interface Draft {
  owner: string
  text: string
}

let owner: string | undefined

/** Brings back what was kept of this account's, and keeps what is there as the page goes. */
export function followDraft(accountId: string): void {
  if (owner === undefined) window.addEventListener('pagehide', keepDraft)
  owner = accountId
  const kept = readDraft()
  sessionStorage.removeItem(name)
  // What is being written already is not written over.
  if (kept?.owner === accountId && playground.read().draft === '') playground.change({ draft: kept.text })
}

function keepDraft(): void {
  const text = unsentText()
  // Who signs out leaves nothing behind.
  if (owner === undefined || text.trim() === '' || !isSignedInStill()) {
    sessionStorage.removeItem(name)
    return
  }
  try {
    sessionStorage.setItem(name, JSON.stringify({ owner, text } satisfies Draft))
  } catch {
    // The browser has no room for it: a question of megabytes is lost.
    sessionStorage.removeItem(name)
  }
}

function readDraft(): Draft | undefined {
  const kept = sessionStorage.getItem(name)
  return kept === null ? undefined : (JSON.parse(kept) as Draft)
}

/** What is being written, or else what was asked last and has no word of an answer. */
function unsentText(): string {
  const { draft, conversation } = playground.read()
  const round = conversation.rounds.at(-1)
  if (draft !== '' || round === undefined) return draft
  const isAnswered = round.answers
    .flat()
    .some(({ text, reasoning, facts }) => text !== '' || reasoning !== '' || facts.state === 'done')
  return isAnswered ? '' : round.question.text
}
