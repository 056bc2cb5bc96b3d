import { isOneOf, type Migration } from './migration.ts'

/**
 * Codes that are mailed to people who sign in at the embedded provider: to show that an address is theirs, to
 * change it, for a new password. They are counted by address for a day, also once they are used: a closed
 * account leaves the address's hash behind until then, and no address. The code of an invitation's mail is
 * another one than that of its link, which whoever invites sees: so it shows whose the mailbox is.
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
