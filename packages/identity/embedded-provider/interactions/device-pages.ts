import type { KoaContextWithOIDC } from 'oidc-provider'
import {
  deviceCodePage,
  deviceConfirmationPage,
  deviceConnectedPage,
  deviceDeclinedPage,
} from '../pages/device.ts'
import { userOfLogin } from '../logins/login.ts'
import { errorPage, expiredSignIn } from '../pages/messages.ts'
import { showPage } from './show-page.ts'
import type { ProviderUserStore } from '../stores.ts'

export interface DevicePagesOptions {
  users: ProviderUserStore
  /** The user code that the page was opened with, as in `verification_uri_complete`. */
  userCodeOf: (context: KoaContextWithOIDC) => string | undefined
  /** A code was entered that there is not. */
  onWrongCode: (context: KoaContextWithOIDC) => void
}

/** What signs in by a code. */
const deviceApplication = 'Turnpike command line'

/** By the class names of `oidc-provider`, which does not export them. */
const codeProblems: Record<string, string> = {
  NotFoundError: 'This code is not valid. Compare it with the one on your device.',
  ExpiredError: 'This code has expired. Start again on your device.',
  AlreadyUsedError: 'This code has already been used. Start again on your device.',
  NoCodeError: 'Enter the code that your device shows.',
}

/** The pages of the device authorization grant, in the form in which `oidc-provider` asks for them. */
export function devicePages({ users, userCodeOf, onWrongCode }: DevicePagesOptions) {
  const formOf = ({ oidc }: KoaContextWithOIDC) => ({
    action: new URL(oidc.urlFor('code_verification')).pathname,
    csrfToken: secretOf(oidc.session?.state),
  })
  return {
    userCodeInputSource(context: KoaContextWithOIDC, _form: string, _out?: unknown, error?: Error): void {
      if (goesOn(context) && isUnsaved(context.oidc.session)) {
        // `oidc-provider` would write it in the place of one that there is not, and fail.
        Object.assign(context.oidc.session!, { touched: false })
        return showPage(context, errorPage(400, expiredSignIn))
      }
      if (error?.name === 'AbortedError') return showPage(context, deviceDeclinedPage())
      if (error?.name === 'NotFoundError') onWrongCode(context)
      if (error === undefined) {
        return showPage(context, deviceCodePage(formOf(context), { userCode: userCodeOf(context) }))
      }
      const problem = codeProblems[error.name] ?? 'Something went wrong. Start again on your device.'
      const entered = context.oidc.params?.['user_code']
      const userCode = typeof entered === 'string' ? entered : undefined
      showPage(context, deviceCodePage(formOf(context), { userCode, problem, status: 400 }))
    },

    async userCodeConfirmSource(
      context: KoaContextWithOIDC,
      _form: string,
      _client: unknown,
      deviceInfo: Record<string, unknown>,
      userCode: string,
    ): Promise<void> {
      const { accountId } = context.oidc.session ?? {}
      const user = accountId === undefined ? undefined : await userOfLogin(users, accountId)
      const request = {
        userCode,
        application: deviceApplication,
        address: String(deviceInfo['address']),
        account: user && (user.email ?? user.name ?? user.id),
      }
      showPage(context, deviceConfirmationPage(formOf(context), request))
    },

    successSource(context: KoaContextWithOIDC): void {
      showPage(context, deviceConnectedPage(deviceApplication))
    },
  }
}

/** Behind the first page, which begins the session. */
function goesOn({ oidc, method }: KoaContextWithOIDC): boolean {
  return oidc.route === 'device_resume' || method === 'POST'
}

/** A browser that comes without the session in which it has begun. */
function isUnsaved(session: KoaContextWithOIDC['oidc']['session']): boolean {
  return session !== undefined && session.exp === undefined
}

function secretOf(state: unknown): string {
  const { secret } = (state ?? {}) as { secret?: unknown }
  return typeof secret === 'string' ? secret : ''
}
