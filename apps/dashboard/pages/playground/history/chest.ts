import type { Conversation } from '../conversation/conversation.ts'

/** A conversation as the browser stores it. */
export interface Kept extends Conversation {
  /** The account that owns it. */
  owner: string
  /** The length of its JSON, for the limit on storage. */
  characters: number
}

/** The conversations in the browser's own database (IndexedDB). */
export interface Chest {
  put(kept: Kept): Promise<void>
  all(owner: string): Promise<Kept[]>
  remove(id: string): Promise<void>
}

const databaseName = 'turnpike.playground'
const storeName = 'conversations'
const version = 1

/** Rejects if the browser has no IndexedDB, or does not allow it. */
export async function openChest(): Promise<Chest> {
  const database = await openDatabase()
  const store = (mode: IDBTransactionMode): IDBObjectStore =>
    database.transaction(storeName, mode).objectStore(storeName)
  return {
    put: async (kept) => void (await resultOf(store('readwrite').put(kept))),
    all: (owner) => resultOf(store('readonly').index('owner').getAll(owner) as IDBRequest<Kept[]>),
    remove: (id) => resultOf(store('readwrite').delete(id)),
  }
}

function openDatabase(): Promise<IDBDatabase> {
  const request = indexedDB.open(databaseName, version)
  request.addEventListener('upgradeneeded', () => {
    const store = request.result.createObjectStore(storeName, { keyPath: 'id' })
    store.createIndex('owner', 'owner')
  })
  return resultOf(request)
}

function resultOf<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () => reject(request.error ?? new Error('the browser gave no reason')))
  })
}
