import type { EmbeddedProviderStores } from '@turnpike/identity'
import type { Database } from '../database/database.ts'
import { withUnreachableErrors } from '../database/unreachable.ts'
import { inviteStore } from './invites.ts'
import { mailedCodeStore } from './mailed-codes.ts'
import { secretStore } from './secrets.ts'
import { loginSessionStore } from './sessions.ts'
import { stateStore } from './states.ts'
import { userStore } from './users.ts'

/** Storage of the embedded identity provider. */
export function identityStores(database: Database): EmbeddedProviderStores {
  return {
    state: withUnreachableErrors(stateStore(database)),
    users: withUnreachableErrors(userStore(database)),
    sessions: withUnreachableErrors(loginSessionStore(database)),
    invites: withUnreachableErrors(inviteStore(database)),
    mailedCodes: withUnreachableErrors(mailedCodeStore(database)),
    secrets: withUnreachableErrors(secretStore(database)),
  }
}
