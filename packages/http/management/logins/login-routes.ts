import { Type } from 'typebox'
import type { AccountScope } from '../access/scope.ts'
import type { ScopedRoutes } from '../scoped-routes.ts'
import type { ManagementServices } from '../services.ts'
import { nullable } from '../validation/fields.ts'

const loginSchema = Type.Object(
  {
    object: Type.Literal('login'),
    provider: Type.Enum(['embedded', 'elsewhere'], {
      description: '`elsewhere`: change password and address at the identity provider.',
    }),
    email: nullable(Type.String()),
    email_verified: Type.Boolean(),
    pending_email: nullable(
      Type.String({
        description: 'The new address that you requested, until the link in its email is opened.',
      }),
    ),
    sends_mail: Type.Boolean({
      description: 'Whether addresses are verified and passwords reset with a link by email.',
    }),
    may_change: Type.Array(Type.Enum(['display_name', 'password', 'email']), {
      description: 'You can change the address if registration is open; otherwise the operator sets it.',
    }),
  },
  { title: 'Login' },
)

/** How the account's owner signs in, and what they may change about it here. */
export const registerLogin: ScopedRoutes<AccountScope, Pick<ManagementServices, 'logins'>> = (
  app,
  path,
  scope,
  { logins },
) => {
  app.get(path, { schema: { response: { 200: loginSchema } } }, async (request) => {
    const { email, emailVerified, subject } = await scope.account(request)
    return {
      object: 'login' as const,
      provider: logins === undefined ? ('elsewhere' as const) : ('embedded' as const),
      email,
      email_verified: emailVerified,
      pending_email: (await logins?.mailed?.pendingEmail(subject ?? '')) ?? null,
      sends_mail: logins?.mailed !== undefined,
      may_change: [
        'display_name' as const,
        ...(logins === undefined ? [] : ['password' as const]),
        ...(logins?.own.mayChangeEmail === true ? ['email' as const] : []),
      ],
    }
  })
}
