import { isOneOf, type Migration } from './migration.ts'

/**
 * Codes mailed to users of the embedded provider: to verify an address, to change it, or for a new password.
 * They count against the address's daily limit even once used; a closed account leaves only the address's
 * hash behind until then. The code in an invitation's mail differs from that of its link, which the inviter
 * sees; so it proves who owns the mailbox.
 */
export const mailedCodes: Migration = {
  number: 34,
  name: 'mailed-codes',
  statements: ({ text, integer, tableEnd }) => [
    `CREATE TABLE identity_mailed_codes (
      code_hash ${text} NOT NULL PRIMARY KEY,
      user_id ${text} NOT NULL,
      purpose ${text} NOT NULL CHECK (${isOneOf('purpose', ['verify', 'change', 'password'])}),
      email ${text},
      address_hash ${text} NOT NULL,
      login_generation ${integer} NOT NULL,
      created_at_ms ${integer} NOT NULL,
      expires_at_ms ${integer} NOT NULL,
      used_at_ms ${integer}
    )${tableEnd}`,
    'CREATE INDEX identity_mailed_codes_to ON identity_mailed_codes (address_hash, created_at_ms)',
    'CREATE INDEX identity_mailed_codes_of ON identity_mailed_codes (user_id, created_at_ms)',
    'CREATE INDEX identity_mailed_codes_by_age ON identity_mailed_codes (created_at_ms)',
    `ALTER TABLE org_invitations ADD COLUMN mail_code_hash ${text}`,
    `CREATE UNIQUE INDEX org_invitations_by_mail_code ON org_invitations (mail_code_hash)
      WHERE mail_code_hash IS NOT NULL`,
  ],
}
