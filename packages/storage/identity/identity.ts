import type { EmbeddedProviderStores } from '@turnpike/identity'
import type { Database } from '../database.ts'
import { sayingUnreachable } from '../unreachable.ts'
import { inviteStore } from './invites.ts'
import { mailedCodeStore } from './mailed-codes.ts'
import { secretStore } from './secrets.ts'
import { loginSessionStore } from './sessions.ts'
import { stateStore } from './states.ts'
import { userStore } from './users.ts'

/** What the embedded identity provider keeps. */
export function identityStores(database: Database): EmbeddedProviderStores {
  return {
    state: sayingUnreachable(stateStore(database)),
    users: sayingUnreachable(userStore(database)),
    sessions: sayingUnreachable(loginSessionStore(database)),
    invites: sayingUnreachable(inviteStore(database)),
    mailedCodes: sayingUnreachable(mailedCodeStore(database)),
    secrets: sayingUnreachable(secretStore(database)),
  }
}
