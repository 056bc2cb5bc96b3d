import type { Path } from '../mistakes/mistake.ts'
import type { ConfigurationInput } from '../schema/schema.ts'

/** A login needs both a user and a password. */
export function* ofMail({ mail }: ConfigurationInput): Generator<{ path: Path; message: string }> {
  const { user, password } = mail?.smtp ?? {}
  if ((user === undefined) === (password === undefined)) return
  const missing = user === undefined ? 'user' : 'password'
  yield { path: ['mail', 'smtp'], message: `missing ${missing}: a login needs both, or neither` }
}
