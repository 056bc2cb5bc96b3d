import { interactionPolicy, type Grant, type KoaContextWithOIDC } from 'oidc-provider'
import { dashboardAddresses } from '../addresses.ts'
import { newGrantId, placeOf, type SessionParts } from '../logins/login-session.ts'
import { userIdOf } from '../logins/login.ts'
import { isMcpClient } from './mcp-policy.ts'

/** What a user is prompted for: to sign in, and when to consent. */
export function promptsOf(publicUrl: string): interactionPolicy.DefaultPolicy {
  const { Check, base } = interactionPolicy
  const policy = base()
  const [login, consent] = [policy.get('login'), policy.get('consent')]
  if (login === undefined || consent === undefined)
    throw new Error('oidc-provider has no login or consent prompt any more')
  // Removed, since it would compare the subject with our identifier of the login.
  login.checks.remove('id_token_hint')
  login.checks.add(
    new Check('id_token_hint', 'the token that was sent is of somebody else', ({ oidc }) => {
      const hint = oidc.entities.IdTokenHint as { payload: { sub?: unknown } } | undefined
      const isOther = hint !== undefined && hint.payload.sub !== userIdOf(oidc.session?.accountId ?? '')
      return isOther ? Check.REQUEST_PROMPT : Check.NO_NEED_TO_PROMPT
    }),
  )
  login.checks.add(
    new Check('login_ended', 'the login has ended', ({ oidc }) =>
      oidc.account === undefined ? Check.REQUEST_PROMPT : Check.NO_NEED_TO_PROMPT,
    ),
  )
  consent.checks.remove('native_client_prompt')
  consent.checks.add(
    new Check(
      'app_confirmation',
      'the user confirms each sign-in of an app',
      'interaction_required',
      (context) =>
        asksForConsent(context, publicUrl) && context.oidc.result?.consent === undefined
          ? Check.REQUEST_PROMPT
          : Check.NO_NEED_TO_PROMPT,
    ),
  )
  return policy
}

/**
 * Whether the user has to consent. Any program on the user's machine can pretend to be an app on loopback, so
 * each sign-in of such an app is confirmed (RFC 8252, section 8.6); so is each sign-in of an MCP app. A
 * device was already confirmed with its code, and only the dashboard is at the dashboard's own address.
 */
function asksForConsent({ oidc }: KoaContextWithOIDC, publicUrl: string): boolean {
  if (isMcpClient(oidc.client)) return true
  const isOfDevice = oidc.route === 'code_verification' || oidc.route === 'device_resume'
  const redirect = oidc.params?.['redirect_uri']
  return !isOfDevice && !dashboardAddresses(publicUrl).redirects.includes(String(redirect))
}

/** The grant that exists, or that confirming the device or opening the dashboard implies. */
export async function grantOf(context: KoaContextWithOIDC, parts: SessionParts): Promise<Grant | undefined> {
  const { oidc } = context
  const { provider, session, client } = oidc
  if (client === undefined || session?.accountId === undefined) return undefined
  if (asksForConsent(context, parts.publicUrl)) {
    // Each sign-in has a grant of its own, which lists what was granted to this sign-in.
    const known = oidc.result?.consent?.grantId
    const grant = known === undefined ? undefined : await provider.Grant.find(known)
    // A grant of another login is not valid for this one.
    return grant?.accountId === session.accountId ? grant : undefined
  }
  // A grant per device, so that an event such as a stolen refresh token ends one login only.
  const { accountId, uid: browserUid } = session
  const jti = await newGrantId(parts, accountId, { ...placeOf(context), browserUid })
  const grant = new provider.Grant({ accountId, clientId: client.clientId })
  grant.jti = jti
  grant.addOIDCScope([...oidc.requestParamOIDCScopes].join(' '))
  await grant.save()
  return grant
}
