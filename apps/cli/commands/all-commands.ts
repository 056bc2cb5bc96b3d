import type { Command } from '../program/command.ts'
import { balance } from './balance/balance.ts'
import { chat } from './chat/chat.ts'
import { completion } from './completion/completion.ts'
import { env } from './env/env.ts'
import { createKey } from './keys/create.ts'
import { listKeys } from './keys/list.ts'
import { revokeKey } from './keys/revoke.ts'
import { rotateKey } from './keys/rotate.ts'
import { showKey } from './keys/show.ts'
import { transferCredit } from './keys/transfer.ts'
import { updateKey } from './keys/update.ts'
import { ledger } from './ledger/ledger.ts'
import { login } from './login/login.ts'
import { logout } from './logout/logout.ts'
import { models } from './models/models.ts'
import { route } from './route/route.ts'
import { test } from './test/test.ts'
import { topup } from './topup/topup.ts'
import { usage } from './usage/usage.ts'
import { whoami } from './whoami/whoami.ts'

/** Every command, in the order and under the headings of the help. */
export const sections: readonly { title: string; commands: readonly Command[] }[] = [
  { title: 'Account', commands: [login, logout, whoami] },
  {
    title: 'Keys',
    commands: [createKey, listKeys, showKey, updateKey, rotateKey, revokeKey, transferCredit],
  },
  { title: 'Credit', commands: [balance, topup, usage, ledger] },
  { title: 'Models', commands: [chat, test, models, route, env] },
  { title: 'Shell', commands: [completion] },
]

export const commands: readonly Command[] = sections.flatMap((section) => section.commands)

/** Words that stand before others. */
export const groups: Readonly<Record<string, string>> = { keys: 'Create, list, change and revoke API keys.' }
