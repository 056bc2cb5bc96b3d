import type { Conversation } from '../conversation/conversation.ts'
import { openChest, type Chest, type Kept } from './chest.ts'

/* Conversations are stored in this browser only, and never sent anywhere to be stored. */

export const mostConversations = 50
/** The limit for all conversations, in characters of JSON; a single larger one is not stored. */
const mostCharacters = 40_000_000
const mostOfOne = 15_000_000

let owner: string | undefined
let chest: Promise<Chest | undefined> | undefined

/**
 * Sets whose conversations are shown: those of an account, or of a member of an organization. Whoever signs
 * in next in this browser sees none of them.
 */
export function setOwner(ownerId: string | undefined): void {
  owner = ownerId
}

/** Undefined if the browser stores nothing, as in a private window. */
function openDatabase(): Promise<Chest | undefined> {
  chest ??= openChest().catch(() => undefined)
  return chest
}

/** Returns why a conversation was not stored; undefined if it was. */
export async function keepConversation(conversation: Conversation): Promise<string | undefined> {
  const into = await openDatabase()
  if (into === undefined) return 'This browser does not store conversations.'
  if (owner === undefined || conversation.rounds.length === 0) return undefined
  const characters = JSON.stringify(conversation).length
  if (characters > mostOfOne) return 'It is too large to store.'
  try {
    await into.put({ ...conversation, owner, characters })
    await makeRoom(into, owner)
    return undefined
  } catch {
    return 'The browser storage is full.'
  }
}

/** Deletes the oldest conversations. */
async function makeRoom(from: Chest, account: string): Promise<void> {
  let characters = 0
  const kept = latestFirst(await from.all(account))
  const extra = kept.filter((one, index) => {
    characters += one.characters
    return index >= mostConversations || characters > mostCharacters
  })
  for (const { id } of extra) await from.remove(id)
}

/** The latest first. */
export async function listConversations(): Promise<Kept[]> {
  const from = await openDatabase()
  return from === undefined || owner === undefined ? [] : latestFirst(await from.all(owner))
}

export async function forgetConversation(id: string): Promise<void> {
  await (await openDatabase())?.remove(id)
}

/** Deletes all conversations of this account. */
export async function forgetConversations(): Promise<void> {
  for (const { id } of await listConversations()) await forgetConversation(id)
}

function latestFirst(kept: readonly Kept[]): Kept[] {
  return kept.toSorted((left, right) => right.changedMs - left.changedMs)
}
