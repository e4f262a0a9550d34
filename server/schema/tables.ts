// Written by `npm run schema`.

/** The rows of each table as the driver reads them. */
export type Tables = {
  account_rights: {
    account_id: number
    name: string
    top_id: number
    is_given: boolean
    from_minute: number | null
    until_minute: number | null
    by_id: number | null
    at: Date
  }
  accounts: {
    id: number
    top_id: number
    parent_id: number | null
    group_id: number
    path: string
    role_id: number
    username: string
    nickname: string
    password_hash: string
    payment_password_hash: string | null
    payment_failures: number
    payment_locked_until: Date | null
    status: number
    thumbnail_id: string | null
    share_code: string
    domain: string
    withdraw_confirm: number
    is_multiple_wallet: number
    transaction_all: number
    event_mode: number
    is_sub: number
    customized_has_qrcode_show: number
    customized_cs_qrcode_pic_url: string
    deduct_point_button_visible: number
    red_envelope_button_visible: number
    send_red_envelope_button_visible: number
    receive_red_envelope_button_visible: number
    gift_red_envelope_button_visible: number
    point_button_visible: number
    cs_flow_limit_button_visible: number
    chat_ai_bot_visible: number
    flow_limit_modify_permission: number
    transfer_member_flow_limit_multiple: number
    is_funded: boolean
    created_at: Date
    last_seen_at: Date | null
    masks_usernames: number
    ai_rooms: number
    third_party_id: string | null
    must_choose_password: boolean
    first_steps_put_away: boolean
    may_approve: number
    factor_roles: number[]
    four_eyes: string[]
    made_by: number | null
    nickname_folded: string | null
    is_key: boolean
    bell_quiet: string[]
  }
  ai_work: {
    room_id: number
    top_id: number
    from_seq: number
    to_seq: number
    lease: string | null
    lease_until: Date | null
    tries: number
    created_at: Date
  }
  api_key_days: {
    key_id: string
    day: Date
    calls: bigint
    refused: bigint
  }
  api_keys: {
    id: string
    top_id: number
    label: string
    secret: string
    created_at: Date
    revoked_at: Date | null
    used_at: Date | null
    signs_webhooks: boolean
    only_webhooks: boolean
    actor_id: number | null
    rights: string[]
    addresses: string[]
    expires_at: Date | null
    per_second: number | null
    version: string | null
  }
  api_nonces: {
    key_id: string
    nonce: string
    seen_at: Date
  }
  approval_pushes: {
    subscription_id: bigint
    about: string
    item_id: number
    top_id: number
    due_at: Date
    tries: number
  }
  approvals: {
    id: number
    top_id: number
    transfer_id: bigint
    cash_id: number | null
    maker_id: number
    holder_id: number
    over: string
    most: bigint
    needs_consent: boolean
    terms: unknown
    reason: string
    state: string
    made_at: Date
    expires_at: Date
    ended_at: Date | null
    ended_by: number | null
    answer: string
  }
  asides: {
    room_id: number
    seq: number
    top_id: number
    aside_id: string
    after_seq: number
    kind: string
    content: string
    sender_id: number
    target_id: number | null
    created_at: Date
    transfer_id: bigint | null
    answers_seq: number | null
    mentions: number[]
  }
  audit_chain: {
    seq: bigint
    audit_id: bigint
    hash: Buffer
    chained_at: Date
    row_hash: Buffer | null
  }
  audit_log: {
    id: bigint
    top_id: number
    at: Date
    kind: string
    actor_id: number | null
    target_id: number | null
    session_id: bigint | null
    address: string
    facts: unknown
  }
  audit_pending: {
    audit_id: bigint
  }
  bank_accounts: {
    id: number
    top_id: number
    member_id: number
    bank_id: number
    account_name: string
    account_no: string
    created_at: Date
    changed_at: Date | null
  }
  bank_settings: {
    top_id: number
    is_third: number
    has_bank_card_setting: number
    bank_card_amount: number
    enable_bsb_code: number
    bsb_code_alias: string
    account_name_modify: number
    cj7: number
    updated_at: Date
  }
  banks: {
    id: number
    top_id: number
    name: string
    status: number
  }
  bell_items: {
    id: number
    account_id: number
    top_id: number
    kind: string
    by_id: number | null
    room_id: number | null
    aside_id: string | null
    content_id: number | null
    approval_id: number | null
    change_id: number | null
    cash_id: number | null
    rooms: number
    created_at: Date
    read_at: Date | null
  }
  cash_requests: {
    id: number
    top_id: number
    group_id: number
    room_id: number
    member_id: number
    message_id: string
    direction: string
    amount: bigint
    state: string
    account_id: number | null
    bank: string
    account_no: string
    slip: string
    reason: string
    transfer_id: bigint | null
    taken_by: number | null
    lease_until: Date | null
    asked_at: Date
    expires_at: Date
    ended_at: Date | null
    ended_by: number | null
    bank_reference: string
    changed_at: Date
    reason_code: string | null
    receiving_account_id: number | null
    receiving_version: number | null
    pay_to: string
    maybe_paid_by: number | null
  }
  challenges: {
    id_hash: Buffer
    account_id: number
    top_id: number
    cookie_hash: Buffer | null
    expires_at: Date
    proof_hash: Buffer | null
    proof_expires_at: Date | null
  }
  closed_balances: {
    period_id: number
    account_id: number
    top_id: number
    parent_id: number | null
    opening: bigint
    total_in: bigint
    total_out: bigint
    closing: bigint
    held: bigint
  }
  closed_periods: {
    id: number
    top_id: number
    account_id: number
    start_date: Date
    end_date: Date
    starts_at: Date
    ends_at: Date
    closed_at: Date
    closed_by: number
  }
  confirmed_transfers: {
    confirmation_id: bigint
    transaction_id: string
  }
  database_sizes: {
    day: Date
    bytes: bigint
  }
  day_totals: {
    account_id: number
    day: Date
    top_id: number
    total_in: bigint
    total_out: bigint
  }
  desk_heartbeats: {
    account_id: number
    top_id: number
    seen_at: Date
  }
  desk_hours: {
    group_id: number
    top_id: number
    is_on: boolean
    time_zone: string | null
    week: unknown
    days: unknown
    version: number
  }
  desk_people: {
    account_id: number
    top_id: number
    state: string
    until: Date | null
    is_here: boolean
    since: Date
    assigned_at: Date | null
    passes: number
    passed_at: Date | null
  }
  desk_settings: {
    group_id: number
    top_id: number
    assign: string
    capacity: number
    sticky_hours: number
    answer_s: number
    gone_s: number
  }
  desk_spells: {
    id: bigint
    top_id: number
    group_id: number
    account_id: number
    started_at: Date
    until_at: Date
    is_over: boolean
  }
  desk_texts: {
    id: number
    group_id: number
    top_id: number
    kind: string
    texts: unknown
    language: string
    created_at: Date
  }
  desk_waits: {
    room_id: number
    asked_seq: number
    top_id: number
    group_id: number
    asked_at: Date
    from_at: Date
    is_first: boolean
    outcome: string | null
    ended_seq: number | null
    ended_at: Date | null
    person_id: number | null
    assigned_at: Date | null
    passed_by: number[]
    late_at: Date | null
    clock_s: number | null
    open_s: number | null
    own_late_at: Date | null
    own_clock_s: number | null
    own_open_s: number | null
  }
  desk_waits_mark: {
    is_it: boolean
    xid: string
    since: Date
  }
  drafts: {
    account_id: number
    room_id: number
    top_id: number
    content: string
    version: number
    updated_at: Date
    inside: boolean
    sent_version: number
  }
  envelopes: {
    transfer_id: bigint
    top_id: number
    target_id: number
    type: number
    status: number
    expires_at: Date
    settled_at: Date | null
    settled_by: number | null
    target_balance: bigint | null
  }
  erased_remarks: {
    wallet_id: number
    seq: bigint
    hash: Buffer
  }
  event_numbers: {
    top_id: number
    account_id: number
    last: bigint
  }
  failed_sign_ins: {
    account_id: number
    top_id: number
    hour: Date
    tries: number
  }
  file_quotas: {
    account_id: number
    since: Date
    bytes: bigint
  }
  first_places: {
    account_id: number
    path: string
  }
  installation: {
    name: string
    value: string
  }
  known_devices: {
    device_hash: Buffer
    account_id: number
    top_id: number
    seen_at: Date
  }
  ledger_checks: {
    id: bigint
    at: Date
    actor_id: number | null
    took_ms: number
    findings: unknown
  }
  list_views: {
    id: number
    top_id: number
    group_id: number
    owner_id: number
    is_shared: boolean
    list: string
    name: string
    filters: unknown
    updated_at: Date
  }
  media: {
    id: string
    top_id: number
    room_id: number | null
    type: string
    width: number
    height: number
    created_at: Date
    group_id: number | null
    taken_back_at: Date | null
    attachment: unknown
  }
  media_deletions: {
    file: string
    at: Date
  }
  member_limit_sums: {
    account_id: number
    member_id: number
    op: number
    top_id: number
    day: Date
    used: bigint
  }
  messages: {
    room_id: number
    seq: number
    top_id: number
    message_id: string
    version: bigint
    type: number
    content: string
    sender_id: number | null
    from_partner: boolean
    width: number | null
    height: number | null
    transfer_id: bigint | null
    created_at: Date
    group_id: number
    folded: string | null
    quoted_seq: number | null
    taken_back_at: Date | null
    attachment: unknown
    answers_seq: number | null
  }
  note_contents: {
    id: number
    top_id: number
    note_id: number
    content: string
    created_by: number
    created_at: Date
    updated_at: Date
    mentions: number[]
  }
  notes: {
    id: number
    top_id: number
    room_id: number
    title: string
    status: number
    created_by: number
    updated_by: number | null
    created_at: Date
    updated_at: Date
  }
  one_time_tokens: {
    token_hash: Buffer
    kind: string
    account_id: number
    top_id: number
    expires_at: Date
  }
  passkey_challenges: {
    challenge_hash: Buffer
    purpose: string
    account_id: number | null
    top_id: number
    bound_to: Buffer | null
    origin: string
    host: string
    expires_at: Date
  }
  passkeys: {
    id: number
    account_id: number
    top_id: number
    credential_id: string
    host: string
    public_key: Buffer
    counter: bigint
    transports: string[]
    name: string
    created_at: Date
    used_at: Date | null
    copied_at: Date | null
  }
  past_places: {
    id: bigint
    top_id: number
    account_id: number
    path: string
    first_day: Date
    first_in: bigint
    first_out: bigint
    last_day: Date
    last_in: bigint
    last_out: bigint
    moved_at: Date
  }
  payment_offers: {
    member_id: number
    top_id: number
    group_id: number
    receiving_account_id: number
    version: number
    pay_to: string
    wanted: bigint
    amount: bigint
    offered_at: Date
  }
  point_confirmations: {
    id: bigint
    top_id: number
    actor_id: number
    request_id: string
    payer_id: number
    member_id: number
    amount: bigint
    kind: number
    wallet: number
    passkey_id: number
    credential_id: string
    public_key: Buffer
    origin: string
    host: string
    client_data: string
    authenticator_data: string
    signature: string
    created_at: Date
  }
  posting_marks: {
    wallet_id: number
    at: Date
    seq: bigint
    total_in: bigint
    total_out: bigint
  }
  postings: {
    wallet_id: number
    seq: bigint
    top_id: number
    transfer_id: bigint
    leg: number
    amount: bigint
    balance_after: bigint
    created_at: Date
  }
  push_subscriptions: {
    id: bigint
    session_id: bigint
    account_id: number
    group_id: number | null
    top_id: number
    sealed: string
    endpoint_hash: Buffer
    language: string
    created_at: Date
  }
  pushes: {
    subscription_id: bigint
    room_id: number
    top_id: number
    due_at: Date | null
    tries: number
    noted: number
    told_seq: number
    sent_at: Date | null
  }
  receiving_accounts: {
    id: number
    top_id: number
    group_id: number
    bank: string
    account_name: string
    account_no: string
    qr: string
    from_minute: number | null
    until_minute: number | null
    day_limit: bigint | null
    position: number
    status: number
    version: number
    changed_at: Date | null
    changed_by: number | null
  }
  recovery_codes: {
    account_id: number
    top_id: number
    code_hash: Buffer
  }
  recovery_phones: {
    account_id: number
    top_id: number
    phone: string | null
    pending: string | null
  }
  remark_edits: {
    transfer_id: bigint
    seq: number
    top_id: number
    actor_id: number
    old_remark: string
    remark: string
    created_at: Date
  }
  report_sums: {
    kind: number
    is_month: boolean
    starts: Date
    of_id: number
    moves: number
    id: number
    top_id: number
    total_in: bigint
    total_out: bigint
    valid: bigint
  }
  requests: {
    actor_id: number
    request_id: string
    call: string
    body_hash: Buffer
    answer: unknown
    created_at: Date
  }
  room_reads: {
    room_id: number
    account_id: number
    read_seq: number
    marked_unread: number
    mark_version: number
    marked_xid: string | null
  }
  rooms: {
    id: number
    top_id: number
    code: string
    group_id: number
    partner_id: number
    status: number
    is_third: number
    version: bigint
    last_seq: number
    last_message_type: number | null
    last_message_content: string
    last_message_at: Date | null
    group_read_seq: number
    partner_read_seq: number
    changed_xid: string
    created_at: Date
    alias: string
    contact_status: number
    desk_version: bigint
    desk_xid: string | null
    waiting_since: Date | null
    owner_id: number | null
    aside_seq: number
    group_delivered_seq: number
    partner_delivered_seq: number
    ai_epoch: number
    unanswered: number
    attended_at: Date | null
    assigned_at: Date | null
    last_owner_id: number | null
    snoozed_until: Date | null
    snoozed_by: number | null
    away_told_at: Date | null
    asked_seq: number | null
    moved_at: Date | null
  }
  sandboxes: {
    top_id: number
    owner_id: number
    made_at: Date
    emptied_at: Date | null
  }
  schema_migrations: {
    name: string
    checksum: string
    applied_at: Date
  }
  seal_blocks: {
    block: bigint
    sealed_at: Date
    rows: number
    salt: Buffer
    root: Buffer
    head: Buffer
  }
  seal_parts: {
    wallet_id: number
    to_seq: bigint
    from_seq: bigint
    block: bigint
    hash: Buffer
    marks: Buffer
  }
  seal_state: {
    id: number
    whole_at: Date
  }
  sealed_wallets: {
    wallet_id: number
    seq: bigint
  }
  second_factors: {
    account_id: number
    top_id: number
    totp_secret: string | null
    totp_step: bigint
    totp_pending: string | null
    phone: string | null
    phone_pending: string | null
  }
  security_notices: {
    id: bigint
    account_id: number
    top_id: number
    kind: string
    session_id: bigint | null
    user_agent: string
    address: string
    created_at: Date
  }
  sensitive_changes: {
    id: number
    top_id: number
    kind: string
    call: string
    maker_id: number
    target_id: number
    subject: string
    change: unknown
    facts: unknown
    state: string
    made_at: Date
    expires_at: Date
    ended_at: Date | null
    ended_by: number | null
    answer: string
    used_at: Date | null
  }
  sessions: {
    id: bigint
    account_id: number
    token_hash: Buffer
    cookie_hash: Buffer | null
    face: string
    agent_login: boolean
    user_agent: string
    address: string
    created_at: Date
    seen_at: Date
    expires_at: Date
    ended_at: Date | null
    end_reason: string | null
    idle_minutes: number
    by_token: boolean
  }
  settings: {
    account_id: number
    top_id: number
    name: string
    background_image_id: string | null
    background_color: string
    header_background_color: string
    header_font_color: string
    api_url: string
    updated_at: Date
    late_after: number
    overdue_after: number
    cash_requests: number
    owned_by_answer: number
    odd_cents: number
  }
  settlements: {
    id: number
    top_id: number
    period_id: number
    upline_id: number
    downline_id: number
    amount: bigint
    state: string
    settled_at: Date | null
    settled_by: number | null
    remark: string
  }
  sign_in_tries: {
    key: Buffer
    tries: number
    last_at: Date
    blocked_until: Date | null
  }
  sign_up_tries: {
    key: Buffer
    tries: number
    ends_at: Date
  }
  slip_pictures: {
    cash_id: number
    top_id: number
    member_id: number
    asked_at: Date
    due_at: Date | null
    tries: number
    hash: string | null
    design: number | null
    picture: Buffer | null
    same_as: number[]
  }
  sms_codes: {
    id: string
    account_id: number
    top_id: number
    challenge_hash: Buffer | null
    code_hash: Buffer
    tries: number
    failed: boolean
    sent_at: Date
    expires_at: Date
    address_key: Buffer | null
  }
  storage_budgets: {
    key: Buffer
    since: Date
    bytes: bigint
  }
  summed_spans: {
    is_month: boolean
    starts: Date
    time_zone: string
    kinds: number
  }
  taken_back_messages: {
    room_id: number
    seq: number
    top_id: number
    type: number
    content: string
    width: number | null
    height: number | null
    taken_back_at: Date
    attachment: unknown
  }
  template_uses: {
    account_id: number
    template_id: number
    top_id: number
    heat: number
  }
  templates: {
    id: number
    top_id: number
    group_id: number
    owner_id: number
    type: number
    title: string
    content: string
    memo: string
    image_id: string | null
    created_at: Date
    updated_at: Date
  }
  timed_acts: {
    id: string
    top_id: number
    room_id: number
    account_id: number
    kind: string
    due_at: Date
    content: string
    quoted_id: string | null
    seen_seq: number
    anyway: boolean
    state: string
    reason: string | null
    created_at: Date
  }
  transfer_limits: {
    account_id: number
    op: number
    top_id: number
    per_transfer: bigint | null
    per_hour: bigint | null
    per_day: bigint | null
    per_member: bigint | null
    hour: Date
    hour_used: bigint
    day: Date
    day_used: bigint
  }
  transfers: {
    id: bigint
    transaction_id: string
    top_id: number
    op: number
    actor_id: number
    funder_id: number
    target_id: number
    wallet: number
    amount: bigint
    audit_amount: bigint
    remark: string
    is_envelope: boolean
    room_id: number | null
    created_at: Date
    bet_id: string | null
    corrects: bigint | null
    overrides_flow: boolean
    target_balance: bigint | null
    bet_valid: bigint | null
  }
  uploads: {
    id: string
    account_id: number
    room_id: number
    name: string
    size: number
    received: number
    created_at: Date
    part_lengths: number[] | null
    budgets: Buffer[] | null
  }
  wallets: {
    id: number
    top_id: number
    account_id: number
    kind: number
    balance: bigint
    floor: bigint | null
    seq: bigint
    flow_due: bigint
  }
  webhook_deliveries: {
    event_id: bigint
    endpoint_id: string
    top_id: number
    account_id: number | null
    seq: bigint
    due_at: Date | null
    lease_until: Date | null
    tries: number
    once: boolean
    waits_since: Date
    delivered_at: Date | null
    tried_at: Date | null
    answer: string
    answer_body: string
    ms: number | null
  }
  webhook_endpoints: {
    id: string
    top_id: number
    url: string
    kinds: string[]
    form: string
    secret: string | null
    old_secret: string | null
    old_until: Date | null
    ordered: boolean
    with_text: boolean
    state: string
    why_off: string | null
    failing_since: Date | null
    created_at: Date
    older_secret: string | null
  }
  webhooks: {
    id: bigint
    event_id: string
    top_id: number
    kind: string
    payload: unknown
    created_at: Date
    due_at: Date | null
    tries: number
    delivered_at: Date | null
    last_answer: string
    account_id: number | null
    seq: bigint | null
    member_seq: bigint | null
    endpoint_id: string | null
  }
}
