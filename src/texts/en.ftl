### Texts of the pages in English, the reference for the other languages. build/texts.rs lists the syntax.

## The language

language-name = English

## Layout of every page

skip-to-content = Skip to content
navigation = Main menu
menu = Menu
nav-apps = Connected apps
nav-account = My account
nav-keys = API keys
nav-data = School data
nav-applications = Applications
nav-clients = Clients
nav-develop = Developer
nav-requests = Request lookup
nav-admin = Administration
nav-people = People
nav-all-keys = All API keys
nav-all-applications = All applications
nav-all-clients = All clients
nav-audit = Audit log
sign-out = Sign out

## Words and buttons of several pages

cancel = Cancel
save = Save
edit = Edit
rename = Rename
delete = Delete
create = Add
show = View
search = Search
apply-filters = Apply
copy = Copy
copied = Copied
revoke-access = Revoke access
revoke-access-of = Revoke access of { $client }
remove-scope = Remove
remove-scope-from = Remove from { $client }
owner = Owner
nobody = No owner
a-developer = A developer of this school
none = None
never = Never
state = Status
created = Created
expires = Expires
until = until { $time }
since = Connected
last-used = Last used
when = Time
day = Day
details = Details
role = Role
email = Email address
password = Password
show-password = Show password
reveal = Show
network-address = IP address
request-id = Request ID
clear-filters = Clear
more-filters = More filters
nothing-found = No results found.
pages = Pages
page-of = Page { $page }
entries = { $count ->
    [one] { $count } entry
   *[other] { $count } entries
}
people = { $count ->
    [one] { $count } person
   *[other] { $count } people
}
previous-page = Previous
next-page = Next
form-has-faults = Nothing was saved. Check the marked fields.
error-prefix = Error:
form-field =
    .addresses = Email addresses
    .client_id = Client ID
    .description = Description
    .description_translations = Description in other languages
    .email = Email address
    .file = File
    .match_by = Also match records by
    .name = Name
    .name_translations = Name in other languages
    .new_password = New password
    .old_password = Current password
    .overlap = Old value
    .owner = Owner
    .password = Password
    .policy = Authentication
    .policy_uri = Privacy policy
    .rate_burst = Requests at once
    .rate_limit = Requests per period
    .rate_window = Period (seconds)
    .redirect_uris = Redirect URIs
    .repeated = Confirm new password
    .role = Role
    .scope_name = Name
    .scopes = Scopes

## Sign-in, consent and error pages of an authorization

sign-in = Sign in
confirm-identity = Confirm access
confirm-identity-button = Confirm
continue-to = to continue to { $client }
use-account-of = Use the email address and password of your { $school } account.
use-school-account = Use the email address and password of your school account.
help-at = Need help? { $support }
forgotten-password-at = Forgot your password? Contact { $support }
forgotten-password = Forgot your password? Ask your school to reset it.
minutes-to-sign-in = { $minutes ->
    [one] You have { $minutes } minute left to sign in.
   *[other] You have { $minutes } minutes left to sign in.
}
minutes-to-decide = { $minutes ->
    [one] You have { $minutes } minute left to decide.
   *[other] You have { $minutes } minutes left to decide.
}
time-is-up = Time is up. Go back to the app and try again.
allow-question = { $client } wants to access your school account
allow-question-of = { $client } wants to access your { $school } account
registered-by = An app by { $owner }
registered-by-school = An app by your school
asks-to = { $client } will be able to:
asks-anew = New permissions
allowed-before = { $count ->
    [one] { $count } permission already allowed
   *[other] { $count } permissions already allowed
}
new-mark = New
of-application = from { $application }
self-read-fields = Email address, role; if you are a student also name, sex, grade and class, student number, major, specialty, student role, dormitory room, clubs, GitHub account
privacy-policy-of = Privacy policy of { $client }
other-account = Use another account
switch-account-label = Switch account
switch-account = Switch
continue-as = Continue as { $account }
not-you = Not your account?
keep-signed-in = Keep me signed in
keep-signed-in-hint = Only on your own device. Otherwise you are signed out when you close the browser.
allow = Allow
deny = Deny
then-back-to = You will be redirected to { $destination }.
revoke-any-time = You can revoke access at any time.
error-start-again = Please start again
error-nothing-here = Page not found
error-try-later = Please try again later
error-went-wrong = Something went wrong
error-cannot-go-on = This sign-in cannot continue
error-not-allowed = Access denied
invalid-request = The app that sent you here made an invalid request. Go back to the app and try again. If that does not help, send this message to its developer:
tell-this-id = If you ask for help, include this request ID:
to-the-start = Go to home

## The start page

home-title = Home
hello = Hello, { $name }
nothing-needs-attention = Nothing needs your attention.
home-waiting-title = Waiting for approval
home-waiting = { $count ->
    [one] { $count } item to review
   *[other] { $count } items to review
}
home-review = Review { $name }
home-show-all = Show all { $count }
home-failed = { $count ->
    [one] { $count } failed sign-in
   *[other] { $count } failed sign-ins
}
home-times = { $count } times
home-no-failed = No sign-in failed.
attention-requests = { $count ->
    [one] { $count } scope request to review
   *[other] { $count } scope requests to review
}
attention-requests-hint = Review each request, then approve or deny it.
failed-sign-ins = Failed sign-ins today
last-sync = Last sync
last-import = Last import
home-import-changes = { $added } added, { $changed } changed, { $removed } removed
needs-attention = Needs your attention
count-apps = { $count ->
    [one] { $count } app connected
   *[other] { $count } apps connected
}
count-keys = { $count ->
    [one] { $count } key
   *[other] { $count } keys
}
count-applications = { $count ->
    [one] { $count } application
   *[other] { $count } applications
}
count-clients = { $count ->
    [one] { $count } client
   *[other] { $count } clients
}
attention-key-expires = The API key “{ $key }” expires soon.
attention-key-expires-hint = Renew it now. The old value keeps working for one more day.
attention-key-expired = The API key “{ $key }” has expired.
attention-key-expired-hint = Renew it to keep using it, or revoke it.
attention-client-advice = Improve the security of “{ $client }”.
attention-clients-advice = Improve the security of { $count } clients
see-advice = See recommendations

## Connected apps

apps-lead = These apps can access your account. Revoke the access of apps that you no longer use.
apps-empty = No apps are connected to your account. Apps you authorize will appear here.
allowed-at = Allowed
app-may-return = Not connected now, but it can reconnect without asking you again.
app-asks-again = Not connected now. It will ask you again before it reconnects.
revoke-app-title = Revoke the access of { $client }?
revoke-app-effect = The app can no longer access your account. It asks for permission again the next time you use it.
revoke-app-tokens = Other services may still accept the app’s access for up to an hour.

## My account

profile = Profile
student-record = Student record
account-since = Account created
account-elsewhere = Your school’s sign-in service manages your account and password.
change-password = Change password
password-lead = Changing your password signs you out on all other devices and disconnects all your apps.
old-password = Current password
new-password = New password
new-password-hint = At least 10 characters. Three or four unrelated words are hard to guess and easy to remember.
new-password-again = Confirm new password
password-link = Set your password
password-link-lead = This link works once. Setting the password signs you out on all devices and disconnects your apps.
password-link-first = This link works once. After that, sign in with your email address and this password.
sessions = Signed-in devices
sessions-lead = If you do not recognize a device, sign it out and change your password.
browser = Device
browser-unknown = Unknown device
signed-in-at = Signed in
last-seen = Last active
this-session = This device
end-session = Sign out
end-session-of = Sign out on { $browser }
sign-out-everywhere = Sign out everywhere
sign-out-everywhere-title = Sign out everywhere?
sign-out-everywhere-effect = You are signed out on all devices, including this one, and all connected apps lose access.

## API keys

key = Key
keys-lead = Use an API key to read school data from your programs. A key is valid for 30 days; renew it before it expires.
keys-empty = You have no API keys yet. Create one, and the next page shows how to use it.
keys-empty-everyone = There are no API keys yet.
new-key = New key
create-key = Create key
key-description = Description
key-description-hint = What the key is for, such as “Lunch bot”.
key-hidden = Hidden fields
key-hidden-hint = Fields of students that your program does not need. Responses leave them empty.
key-limit = Custom rate limit
rate-limit = Requests per period
rate-limit-hint = Leave empty to use the default limit.
rate-window = Period (seconds)
rate-burst = Requests at once
key-valid-30-days = The key is valid for 30 days. You can renew it anytime.
hidden-fields = Hidden fields
nothing-hidden = None: the key reads every field
this-key = Key details
key-ends-in = Ends in
limit = Rate limit
limit-of-all = Default
key-limit-of = { $limit } requests in { $window } seconds, { $burst } at once
old-values = Old values still valid
old-value-unnamed = an old value
key-works = Active
key-expires-soon = Expires soon
key-expired = Expired
key-days-left = { $count ->
    [one] { $count } day left
   *[other] { $count } days left
}
key-warning-soon = { $days ->
    [one] This key expires in { $days } day. Renew it now; the old value keeps working for as long as you choose.
   *[other] This key expires in { $days } days. Renew it now; the old value keeps working for as long as you choose.
}
key-warning-expired = This key has expired. Renew it to get a new value.
edit-key = Edit { $key }
edit-key-lead = You can only reduce the access of a key: fewer scopes, more hidden fields, a lower rate limit. For more access, create a new key.
key-stays-hidden = Already hidden:
key-limit-most = At most { $limit } requests in { $window } seconds, { $burst } at once. Leave empty to keep the current limit.
key-protected = Request personal fields
key-protected-hint = A new key cannot read these fields of other people. Select those that your program needs; an administrator reviews your request.
key-request = Personal fields requested
key-request-waits = Waiting for approval by an administrator:
key-request-decide = The owner requests access to these personal fields of all students:
key-request-approve = Approve
key-request-deny = Deny
renew = Renew
renew-key = Renew { $key }
renew-lead = You get a new value that is valid for 30 days. Scopes, limits and usage history stay the same.
renew-hides = This key shows personal fields that need the approval of an administrator. Once you renew it, it hides them until you request them and an administrator approves:
overlap = How long should the old value keep working?
overlap-hint = Long enough to update your program. If others may know the old value, choose “End immediately”.
overlap-none = End immediately
overlap-hour = 1 hour
overlap-day = 1 day
overlap-week = 7 days
revoke = Revoke
revoke-key-title = Revoke the key { $key }?
revoke-key-effect = Programs that use it stop working immediately. This cannot be undone.
revoke-key-used = { $requests ->
    [one] It was used for { $requests } request in the last 7 days.
   *[other] It was used for { $requests } requests in the last 7 days.
}
revoke-key-unused = It was not used in the last 7 days.
requests-30-days = Requests, last 30 days
usage-none = No requests in the last 30 days.
api-reference = API reference
as-a-table = Show as a table
plot-label = Requests per day, last 30 days: { $requests } in total, { $errors } of them errors. The table below has the same numbers.
plot-answered = Successful
plot-errors = Errors
plot-day = { $date }: { $requests } requests, { $errors } errors
plot-outlier = Most errors were on { $date }: { $errors } of { $requests } requests.
plot-behind = Counts can be a few minutes behind.
plot-date = { $month ->
    [1] Jan { $day }
    [2] Feb { $day }
    [3] Mar { $day }
    [4] Apr { $day }
    [5] May { $day }
    [6] Jun { $day }
    [7] Jul { $day }
    [8] Aug { $day }
    [9] Sep { $day }
    [10] Oct { $day }
    [11] Nov { $day }
   *[12] Dec { $day }
}

## Secrets that are shown once

shown-once = Copy it now and keep it secret. You will not be able to see it again.
key-created = Key created
key-renewed = Key renewed
key-value = Key
key-old-until = The old value works until { $time }.
key-old-ended = The old value no longer works.
client-created = Client registered
secret-created = New client secret
secret-value = Client secret
secret-in-environment = The programs below read the secret from the environment, so it stays out of your code:
secret-advice = Store it only on the server of your app, never in an app or a page that people download.
secret-older-goes-on = The previous secret keeps working, so you can switch to the new one without downtime.
try-it = Try it
sample-language = Sample language
sample-with-key = This sample contains your key. Do not share it or commit it to a repository.
sample-address = This sample contains your key. Replace https://DATA_API with the address of the data API.
sample-key = Replace YOUR_KEY with your key.
sample-places = Replace YOUR_KEY with your key, and https://DATA_API with the address of the data API.
i-have-kept-it = Done, I’ve saved it

## Applications and scopes

application = Application
applications-lead = An application defines scopes: permissions that clients request from users, and that your own service checks in the access token.
applications-empty = You have no applications yet. Create one if your service needs scopes of its own.
applications-empty-everyone = There are no applications yet.
new-application = New application
rename-application = Rename application
application-name = Name
application-name-hint = Users see it next to each scope when they are asked to allow it.
name-translations = Name in other languages
name-translations-hint = Shown to people who use the pages in that language. Optional.
other-languages = Other languages
application-id = Application ID
application-read-only = This application belongs to another user. You can view its scopes and use them in your clients.
scopes = Scopes
scopes-empty = No scopes yet. Add one that clients can request.
scope = Scope
new-scope = New scope
edit-scope = Edit scope
scope-name = Name
scope-name-hint = Lowercase letters, digits, _ and -, such as points_read. You cannot change it later.
scope-description = Description
scope-description-hint = Users read it when they are asked to allow the scope, such as “Read your reward points”.
description-translations = Description in other languages
description-translations-hint = Shown to people who use the pages in that language. Optional.
full-scope = Full scope name
approval = Approval
approval-required = Approval required
approval-not-required = Not required
approval-required-hint = Clients of other users need your approval to use this scope. Clients that already use it keep it.
approve = Approve
approved = Approved
listed = In use
who-uses-it = Clients that use this scope
scope-unused = No client uses this scope.
last-granted = Last authorized
live-grants = Active connections
remove-scope-title = Remove the scope from { $client }?
remove-scope-effect = The client loses the scope immediately, including in active connections, and cannot request it until you approve it again.
remove-open-scope-effect = The client loses the scope immediately, including in active connections. Its owner can add it again, because the scope needs no approval.
delete-scope-title = Delete the scope { $scope }?
delete-scope-effect = It is removed from all clients and connections immediately. This cannot be undone.
delete-application-title = Delete the application { $application }?
delete-application-effect = All its scopes are deleted too, and removed from all clients and connections. This cannot be undone.
touches = This affects { $affected }.
touches-nobody = No clients use it, so nothing is affected.
touched-meanwhile = What this affects has changed since you opened the page. Nothing has been done yet. Review it and try again.
count-connections = { $count ->
    [one] { $count } active connection
   *[other] { $count } active connections
}

## Requests for scopes

approvals-nav = Approvals
approvals-nothing-pending = There are no pending approvals.
approvals-inbox = Scope requests
approvals-inbox-lead = Owners of other clients request scopes of your applications. After you approve a request, the client can ask users for the scope.
approvals-inbox-empty = There are no pending requests.
approvals-inbox-count = { $count ->
    [one] { $count } scope request to review
   *[other] { $count } scope requests to review
}
approvals-scope-lead = Owners of other clients can request this scope from the page of their client.
approvals-requests = Scope requests
approvals-fields-lead = Owners of API keys ask to read personal fields of all students. The key keeps everything else if you deny it.
approvals-wants-to-read = Wants to read
approvals-approve-fields = Approve for { $key }: { $fields }
approvals-deny-fields = Deny { $key }: { $fields }
approvals-fields-of-key = Personal fields: { $fields }
approvals-reason = Reason
approvals-asked-at = Requested
approvals-deny = Deny
approvals-denial-reason = Reason (required, shown to the owner of the client)
approvals-approve-for = Approve { $client } for { $scope }
approvals-deny-for = Deny { $client } the scope { $scope }
approvals-verify-client = Verify { $client }
approvals-wants-to = Requested scopes
approvals-more-scopes = and { $count } more
approvals-request = Request a scope
approvals-request-lead = Some scopes of other applications need the approval of their owner. Request them here and check the status of your requests.
approvals-new-request = New request
approvals-nothing-to-request = There are no other scopes that need approval.
approvals-reason-hint = One sentence for the owner of the application: what you need the scope for.
approvals-send = Send request
approvals-pending = Pending
approvals-denied = Denied
approvals-add = Add to client
approvals-remove = Remove
approvals-withdraw = Withdraw
approvals-withdraw-request = Withdraw request: { $scope }
approvals-administrators = administrators
approvals-count-pending = { $count } pending
approvals-count-approved = { $count } approved
approvals-count-denied = { $count } denied
approvals-decisions = Decisions about your requests
approvals-decided-count = { $count } decisions about your scope requests
approvals-is-approved = “{ $client }” may use “{ $scope }”.
approvals-is-approved-hint = Add the scope to the client to use it.
approvals-is-denied = “{ $client }” was denied “{ $scope }”.
approvals-already-requested = You have already requested this scope.
approvals-already-approved = The client is already approved for this scope.
approvals-limit = This client has reached the limit of pending requests. Withdraw one, or wait for a decision.
approvals-done-sent = Request sent.
approvals-done-denied = Request denied. The owner of the client sees your reason.
approvals-done-withdrawn = Request removed.

## Clients

client = Client
clients-lead = A client is an app that users sign in to with their school account.
clients-empty = You have no clients yet. Register one to let users sign in to your app.
clients-empty-everyone = There are no clients yet.
new-client = New client
edit-client = Edit client
register-client = Register client
client-name = Name
client-name-hint = Users see it when they sign in.
client-id = Client ID
client-read-only = Only administrators can change first-party clients.
this-client = Client details
first-party = First-party
first-party-hint = It can manage on behalf of every user who signs in. Only for tools that you run yourselves.
policy = Authentication
policy-secret = Client secret
policy-secret-hint = For apps with a server that can keep a secret. Recommended.
policy-secret-or-pkce = Client secret or PKCE
policy-secret-or-pkce-hint = For apps with a server, and a part that runs without it.
policy-none = PKCE only (public client)
policy-none-hint = For mobile, desktop and browser apps, which cannot keep a secret.
policy-none-drops-secrets = For mobile, desktop and browser apps, which cannot keep a secret. The secrets of this client stop working immediately.
redirect-uris = Redirect URIs
redirect-uris-hint = Where users return after they sign in. One per line, exactly as the app sends it.
redirect-rules = Rules for redirect URIs
policy-uri = Privacy policy
policy-uri-hint = An address with https://. Users see a link to it when they are asked to allow the app. Optional.
redirect-line = Line { $line }
redirect-all-good = All redirect URIs are valid.
redirect-absolute = It must be a complete URI without spaces, such as https://app.example/callback.
redirect-scheme = It must begin with https://, with http:// on 127.0.0.1, [::1] or localhost only, or with a scheme of your own that has a dot, such as com.example.app:/
redirect-fragment = It must not have a # part.
redirect-user = It must not have a user name before an @.
redirect-host = It must have a host.
redirect-port = Its port must be at most 65535.
redirect-reserved = It must not have the parameters code, state, iss, error or error_description.
redirect-length = It must have at most 2,000 characters.
allowed-scopes = Scopes
allowed-scopes-hint = What the app can request from users. Select only what it needs.
find-scope = Find a scope
scope-needs-approval = Needs approval
scope-first-party-only = First-party clients only
more-settings = Advanced settings
pkce-required = PKCE required
pkce-required-hint = Recommended if the library of your app supports it. Public clients must always use PKCE.
plain-pkce-allowed = PKCE method “plain” allowed
plain-pkce-allowed-hint = Only for old apps that do not support S256.
iss-omitted = Redirects without “iss”
iss-omitted-hint = Only for apps that fail when the redirect contains iss. It is better to configure the issuer in the app.
client-credentials-allowed = Tokens without a user allowed
client-credentials-allowed-hint = For programs that work without a user. Not for public clients.
advice = Recommendations
no-advice = No issues
count-advice = { $count ->
    [one] { $count } recommendation
   *[other] { $count } recommendations
}
secrets = Secrets
secrets-lead = A client can have two secrets. Creating a third removes the oldest.
secret-of = Created
secret-never-used = Never used
newest = Newest
secret-unnamed = Older secret
new-secret = New secret
new-secret-title = Create a new secret for { $client }?
new-secret-effect = It is shown once, on the next page. The current secret keeps working.
first-secret-effect = It is shown once, on the next page.
new-secret-pushes-out = The client already has two secrets, so the oldest stops working immediately.
remove-older-secret = Remove older secret
remove-older-secret-title = Remove the older secret of { $client }?
remove-older-secret-effect = Servers that still use it can no longer get tokens. The newest secret stays.
delete-client-title = Delete the client { $client }?
delete-client-effect = Users can no longer sign in to it, and all its connections end. This cannot be undone.
use-it = How to use it
authorize-link = Authorization URL
authorize-link-lead = Send users here to sign in. Your app creates a new state and code challenge each time.
code-samples = Complete sign-in example
code-samples-lead = Run it in a terminal. It asks for the address that the browser returns to, and exchanges the code in it for tokens.

## School data

data-needs-key = You need an API key to view the school data.
key-lacks-scope = The key “{ $key }” cannot read this. Choose another key, or create one that can.
look-with-key = API key
look-as-administrator = Administrator (all fields)
download-audit-csv = Download as CSV
download = Download
download-csv = CSV
download-xlsx = Excel
file-rows = Rows (at most 1,000 in a file)
headings = Column names and values
headings-of-api = As in the data API
byte-order-mark = Add a byte-order mark to CSV (for Excel)
columns-shown = Columns ({ $count })
columns-and-download = Columns and download
show-columns = Apply
row-height = Row height
rows-normal = Normal
rows-dense = Compact
remove-filter = remove this filter
clear-all-filters = Clear all
no-match = No records match these filters.
nothing-in-list = “{ $list }” has no records yet.
no-more-rows = There are no more records.
nothing-on-days = There are no records for these days.
whole-week = Show the whole week
previous-day = Previous day
next-day = Next day
rows-of = { $from }–{ $to } of { $total }
people-of = { $from }–{ $to } of { $total }
first-page = First
last-page = Last
go-to-page = Page
of-pages = of { $pages }
go = Go
edit-record = Edit
no-records = No records found. Change or clear the filters.
filters = Filters
filters-have-faults = Check the marked filters.
hidden-cell = Hidden
any = Any
yes = Yes
no = No
sort-by = Sort by
sort-direction = Direction
ascending = Ascending
descending = Descending
page-size = Per page
same-request = This table as an API request
same-request-lead = Replace YOUR_KEY with your key.

## Administration

new-person = New account
people-elsewhere = Your school’s sign-in service manages the accounts.
people-search = Name, class (such as 2-3) or email address
people-name = Name
people-class = Class
name-or-email = Name or email address
state-active = Active
state-invited = Invited
state-suspended = Suspended
state-left = No longer enrolled
new-person-lead = The next page has a link for the user to set a password. It works once and expires after 7 days.
new-person-create = Create and show link
make-password = Generate password
password-made = New password
password-made-advice = Give it only to the owner of the account, who can change it under “My account”.
role-hint = Changing the role signs the user out here. Their API keys hide the fields that are protected for the new role until an administrator approves them.
sign-out-person-hint = The user is signed out on all devices, and all connected apps lose access. API keys keep working.
no-sessions = No signed-in devices.
all-events = All events
done-their-sessions-ended = User signed out.
last-sign-in = Last sign-in
you = You
person-id = ID
what-may-they-do = What can this user do?
not-your-own-role = You cannot change your own role. Another administrator can.
lost-password = Reset password
lost-password-lead = A random password is generated and shown once. The user is signed out everywhere, and all connected apps lose access.
set-password = Set password
invite-people = Invite people
invite-lead = Creates accounts for people who have none, each with a link to set a password. A link works once and expires after 7 days.
invite-grade = Grade
invite-class = Class
invite-all = All
invite-no-students = None
invite-addresses = Email addresses
invite-addresses-hint = One per line, or pasted from a spreadsheet. If you enter addresses, the grade and class above are ignored.
invite-nobody = Choose a grade, or enter email addresses.
invite-check = Review
invite-new = { $count ->
    [one] { $count } new account.
   *[other] { $count } new accounts.
}
invite-nothing-yet = Nothing has been created yet.
invite-by-mail = The links are also sent by email.
invite-refused-lines = Skipped lines
invite-refused-line = Line { $line }: { $reason }
invite-line-no-address = no email address
invite-line-several = several addresses: name their column “email” in the first line
invite-line-separator = the address contains one of the characters , ; " < >
invite-line-repeated = the same address as in line { $line }
invite-line-too-many = more than 5,000 addresses: invite the rest separately
invite-again = Also create new links for people who have not set a password yet
invite-create = Create and show links
invite-csv = Create and download links (CSV)
invited = Invitation links
invited-lead = These links are shown only once. Give each one only to the owner of the account, because it sets the password.
invited-link = Link
invited-mail = Email
invited-mailed = sent
invited-not-mailed = not sent: { $reason }
invited-out-of-time = not sent yet: the mail server is slow, give the link to its owner
person-invited = Invited. No password has been set yet.
person-left = Suspended since { $since }, because the student is no longer enrolled. If the student is enrolled again before { $until }, the account works again. After that it is deleted.
person-restored = Suspended, because the database was restored from a backup. A new password, or a confirmation on the server, ends the suspension.
person-link = One-time link
person-link-lead = The user sets a new password with the link. It works once and expires after 7 days. The current password works until then.
person-link-make = Create link
remove-account = Delete account
remove-account-title = Delete the account { $account }?
remove-account-effect = The user can no longer sign in, all sessions and connections end, and the API keys stop working. This cannot be undone.
remove-account-stays = Applications and scopes of the user are kept. They belong to the service then, and administrators manage them.
events-of-person = Recent events
explain-id = Look up a request ID
explain-id-hint = The ten characters on an error page or in the x-request-id header.
explain = Look up
explained = Request { $id }
id-malformed = Enter the ten characters of the ID, which are digits and letters without i, l, o and u.
id-unknown = No events found for this ID. It may be mistyped, or its events may have expired. The letters i, l, o and u never occur.
what-happened = Event
from-day = From
to-day = To
nothing-kept = No record
events-elsewhere = Events cannot be viewed here. The service writes them only to its log.
no-events = No events found.
fact-person = User
fact-scopes = Scopes
fact-object = Target
fact-change = Change
fact-fields = Fields
fact-rule = Reason code
fact-parameter = Parameter
fact-status = Status
fact-endpoint = Endpoint
fact-connection = Connection
fact-versions = Versions
fact-count = Count

## Events in plain words

audit-by = Done by
audit-about = Target (user or ID)
audit-person-hint = Name or email
audit-of-or-about = Only events by or about
audit-newer = Newer
audit-older = Older
audit-newest-entries = Newest { $count }
audit-entries-here = { $count } on this page
audit-no-user = No user matches “{ $typed }”.
audit-many-users = More than { $most } users match “{ $typed }”. Enter more of the name, or the email address.
audit-csv-limit = A file has at most the newest 10,000 events. Downloads are logged too.
audit-kind = Type
audit-unknown-user = Unknown user
audit-service = The service
audit-console = this website
audit-removed-account = (removed account)
audit-deleted-client = (deleted client)
audit-deleted-application = (deleted application)
audit-event = { $event ->
    [signed_in] { $who } signed in to { $client }
    [sign_in_refused] Wrong email address or password at { $client }
    [sign_in_limited] Too many failed sign-ins at { $client }
    [signed_out] { $who } signed out of { $client }
    [consent_asked] { $who } was asked to allow { $client }
    [consent_given] { $who } allowed { $client }
    [consent_remembered] { $client } connected without asking { $who }, who had allowed it before
    [consent_denied] { $who } did not allow { $client }
    [code_issued] { $client } got a code for { $who }
    [tokens_issued] { $client } got tokens for { $who }
    [refreshed] { $client } renewed its tokens for { $who }
    [refresh_repeated] { $client } renewed its tokens for { $who } again
    [client_token_issued] { $client } got a token for itself
    [reuse_detected] { $client } used a code or token twice and lost its access
    [revoked] { $client } ended its access
    [revoked_with_user] Access on behalf of { $who } ended, because the account no longer exists
    [grant_replaced] A newer sign-in of { $who } replaced an older one at { $client }
    [grant_withdrawn] { $who } disconnected an app
    [consent_withdrawn] { $who } revoked the access of { $client }
    [signed_out_everywhere] { $who } signed out everywhere
    [signing_key_installed] A signing key was created
    [signing_key_revoked] A signing key was revoked
    [signing_keys_removed] Old signing keys were deleted
    [backup_restored] { $who } restored a backup
    [imported] { $who } imported a file: { $list }
    [synced] { $who } synced with NEIS: { $list }
    [year_turned] { $who } started a new school year
    [year_turn_undone] { $who } undid the new school year
    [person_erased] { $who } erased the data of a person
    [leavers_removed] { $who } deleted former students
    [data_viewed] { $who } viewed school data
    [edited] { $who } changed school records
    [managed] { $who } changed something
    [refused] A request was refused
   *[other] { $event }
}
audit-wrong-password = Failed sign-in for { $name } at { $client } (wrong password or suspended account)
audit-wrong-password-here = Failed sign-in for { $name } (wrong password or suspended account)
audit-signed-in-here = { $who } signed in
audit-signed-out-here = { $who } signed out
audit-unknown-email = Unknown email address at { $client }
audit-edited = { $who } { $change ->
    [created] added
    [deleted] deleted
   *[other] changed
} school records: { $list }
audit-edited-one = { $who } { $change ->
    [created] added
    [deleted] deleted
   *[other] changed
} { $name } ({ $list })
audit-viewed-one = { $who } viewed { $name } ({ $list })
audit-viewed = { $who } { $list ->
    [students] { $count ->
        [one] viewed { $count } student
       *[other] viewed { $count } students
    }
    [clubs] { $count ->
        [one] viewed { $count } club
       *[other] viewed { $count } clubs
    }
    [projects] { $count ->
        [one] viewed { $count } project
       *[other] viewed { $count } projects
    }
    [meals] { $count ->
        [one] viewed { $count } meal
       *[other] viewed { $count } meals
    }
    [schedules] { $count ->
        [one] viewed { $count } calendar entry
       *[other] viewed { $count } calendar entries
    }
    [timetables] { $count ->
        [one] viewed { $count } lesson
       *[other] viewed { $count } lessons
    }
    [class_history] viewed the class history of { $count ->
        [one] { $count } student
       *[other] { $count } students
    }
    [audit_events] exported { $count ->
        [one] { $count } event
       *[other] { $count } events
    } of the audit log
   *[other] { $count ->
        [one] viewed { $count } record of “{ $list }”
       *[other] viewed { $count } records of “{ $list }”
    }
}
audit-refused-person = { $who } was refused: { $why }
audit-refused-client = { $client } was refused: { $why }
audit-refused-key = A request with the API key “{ $key }” was refused: { $why }
audit-refused-request = A request was refused: { $why }
audit-tag = { $change ->
    [created] Created
    [renewed] Renewed
    [suspended] Suspended
    [resumed] Resumed
    [confirmed] Confirmed
    [deleted] Removed
    [revoked] Revoked
    [refused] Denied
    [verified] Verified
    [unverified] Unverified
    [approved] Approved
    [asked] Asked
    [signed_out] Signed out
   *[other] Changed
}
audit-managed = { $who } { $change ->
    [created] created
    [renewed] renewed
    [suspended] suspended
    [resumed] resumed
    [confirmed] confirmed
    [deleted] deleted
    [revoked] revoked
    [refused] denied
   *[other] changed
} { $object }
audit-object = { $kind ->
    [application] the application { $name }
    [scope] the scope { $name }
    [client] the client { $name }
    [client_secret] a secret of the client { $name }
    [api_key] an API key
    [named_api_key] the API key “{ $name }”
    [calendar_feed] a calendar feed
    [account] the account of { $name }
    [password] the password of { $name }
   *[other] { $kind } { $name }
}
audit-approved = { $who } approved { $client } for the scope { $scope }
audit-approval-withdrawn = { $who } removed the scope { $scope } from { $client }
audit-scope-asked = { $who } requested the scope { $scope } for { $client }
audit-scope-refused = { $who } denied { $client } the scope { $scope }
audit-scope-request-withdrawn = { $who } withdrew the request of { $client } for the scope { $scope }
audit-client-verified = { $who } verified the client { $client }
audit-client-unverified = { $who } removed the verification of { $client }
audit-signed-out = { $who } signed { $name } out
audit-link-made = { $who } created a one-time link for { $name }

## Activity of a client or a key

activity-title = Activity
activity-last-days = Last 30 days
activity-refused = Refused requests
activity-no-refusals = No requests were refused.
activity-reason = Reason
activity-parameter-invalid = The parameter { $name } is not valid.
activity-parameter-repeated = The parameter { $name } is repeated.
activity-parameter-hidden = The parameter { $name } uses a field that is hidden from the API key.
activity-counted-of-key = Errors in the chart are requests with this key that were refused or failed. If very many are refused in an hour, the list shows only some. Requests to unknown addresses (404) are in neither: they are answered before the key is read.
activity-counted-of-client = Successful requests in the chart are those that issued tokens, and errors are refused requests with the ID of this client, without those on the sign-in and consent pages. If very many are refused in an hour, only some of them are counted and listed.
activity-look-up-lead = You can look up your own requests, and those of your clients and API keys.
activity-unknown = No request of yours has this ID. Check the ID (it never contains i, l, o or u). Older records may have been deleted.

## Messages with one-time links

mail-invitation-subject = { $school }: set the password of your account
mail-invitation =
    You have an account at { $school }: { $account }

    Set your password by { $time }. The link works once:
    { $link }

    Then sign in here:
    { $address }

    If you did not expect this message, you can ignore it. Nothing changes unless you open the link.
mail-reset-subject = { $school }: set a new password
mail-reset =
    An administrator of { $school } has created a password link for your account { $account }.

    Set a new password by { $time }. The link works once, and you will be signed out everywhere:
    { $link }

    Then sign in here:
    { $address }

    If you did not ask for this message, ignore it and tell your school. Your password does not change unless you open the link.

## The editor of the school's records

editor-nav = School records
editor-new-record = Add to { $list }
editor-name = Name
editor-list = List
editor-selected = Selected
editor-select = Select { $name }
editor-change-selected = Change selected
editor-change-all = { $count ->
    [one] Change the matching record
   *[other] Change all { $count } matching records
}
editor-too-many-selected = You can change up to 5,000 matching records or 500 selected records at once. Narrow the filters and make the change in parts.
editor-and-more = and { $count } more
editor-meanwhile = Changed since you opened the page
editor-other-count = Records before: { $before }, now: { $now }.
editor-nothing-selected = No records are selected. Go back and select the records to change.
editor-what-to-do = Action
editor-to-class = New class
editor-to-major = New major
editor-grade = Grade
editor-grade-stays = Leave empty to keep the grade.
editor-class = Class
editor-show-changes = Preview changes
editor-change-title = { $count ->
    [one] One record changes
   *[other] { $count } records change
}
editor-nothing-changes = There are no changes.
editor-consequences = Related changes
editor-consequences-lead = These records change as a result.
editor-apply = Apply
editor-added = new
editor-changed = changed
editor-gone = deleted
editor-changed-meanwhile = Another administrator has changed this record, so your changes were not saved. The marked fields show the current values. If you save again, your values replace them.
editor-changed-to = Current value:
editor-plan-changed = The records have changed since the preview, so nothing was applied. These are the changes now.
editor-import = Import a file
editor-all-as-csv = Download all as CSV
editor-all-as-json = Download all as JSON
editor-these-as-csv = { $count ->
    [one] Download this one as CSV
   *[other] Download these { $count } as CSV
}
editor-these-as-json = { $count ->
    [one] Download this one as JSON
   *[other] Download these { $count } as JSON
}
editor-part-hint = When you import such a file again, select “Keep records missing from the file”.
editor-import-title = Import: { $list }
editor-file = File
editor-file-hint = CSV or JSON of at most 4 MiB with all records of the list, with the headings of a download or Korean ones. Nothing changes before you have seen the preview.
editor-choose-file = Choose a file.
editor-upload-expired = The file has expired after an hour. Choose it again.
editor-partial = Keep records missing from the file
editor-partial-hint = Otherwise records that are not in the file are deleted, except former students.
editor-allow-removals = Allow many deletions
editor-allow-removals-hint = Otherwise a file that deletes more than 10% of the records is not applied.
editor-skip-refused = Skip lines with errors
editor-skip-refused-hint = Otherwise nothing is applied while a line has an error.
editor-match-by = Also match records by
editor-match-by-hint = The ID and the email address of a student are compared first.
editor-match-none = None
editor-found = Summary
editor-columns = Columns
editor-unchanged = unchanged
editor-refused = errors
editor-confirm-current = Confirm that the list is current
editor-accounts-lose-access = { $count ->
    [one] One account loses its access immediately, because its student is no longer enrolled, and is deleted after a day.
   *[other] { $count } accounts lose their access immediately, because their students are no longer enrolled, and are deleted after a day.
}
editor-suggests-match = About as many records are new as deleted. If they are the same ones, choose another column under “Also match records by”: a new record has a new ID, and the account of its student ends.
editor-former-kept = { $count ->
    [one] One former student is not in the file, and stays.
   *[other] { $count } former students are not in the file, and stay.
}
editor-refused-lines = Lines with errors
editor-place = Where
editor-column = Column
editor-reason = Reason
editor-line = line { $number }
editor-record = record { $number }
editor-obstacle-refused = The file cannot be applied while lines have errors. Correct them in the file, or select “Skip lines with errors”.
editor-obstacle-shrinks = The file would delete more than 10% of the records. If that is right, select “Allow many deletions”; to keep them, select “Keep records missing from the file”.
editor-done-imported = File imported.
editor-bounds = Enter a whole number from { $low } to { $high }.
editor-one-of = Choose one of these: { $words }.
editor-action =
    .class = Move to another class
    .major = Change the major
    .graduate = Graduate
    .withdraw = Withdraw
    .remove = Delete
editor-hint =
    .role = Graduates and withdrawn students have no grade, class, number, major, room or clubs.
    .leader = Email address, ID or name of a member
    .participants = One member per line: email address, ID or name
    .repositories = One address per line
    .techStacks = One per line
    .majorClub = Only an enrolled student has a club.
editor-rule =
    .name = Enter one line of at most 255 characters.
    .email = Enter an email address, such as name@school.example.
    .specialty = Enter one line of at most 255 characters.
    .dormitoryRoom = Enter a room number.
    .githubId = Enter 1 to 39 Latin letters, digits and hyphens.
    .foundedYear = Enter a year.
    .abolishedYear = Enter a year that is not before the founding year.
    .startYear = Enter a year.
    .endYear = Enter a year that is not before the start year.
    .description = Enter at most 10,000 characters.
    .repositories = Enter at most 20 addresses with https.
    .techStacks = Enter at most 20 names.
editor-refusal =
    .file = The file cannot be read as a table, or it is too large.
    .column = A column heading is unknown or repeated.
    .row = The row does not match the column headings.
    .missing = This field is required.
    .invalid = This value is not valid.
    .out_of_bounds = Your school does not have this value. Choose another one.
    .unknown_record = No record has this ID. To add a new one, leave the ID empty.
    .ambiguous_record = Several records match. Enter the ID.
    .email_taken = Another student has this email address.
    .enrolled_only = Only for enrolled students.
    .club = There is no such club, or several clubs have this name.
    .club_type = The club is of another type.
    .club_has_members = The type cannot change while the club has members.
    .student = There is no such student, or several students have this name. Use the email address.
    .not_enrolled = One of these students is not enrolled.
    .other_club = One of these students is also in another club.
    .leader_is_not_member = The leader must be a member of the club.
    .contradiction = This contradicts the other columns. Correct one, or leave this cell empty.
    .too_many = Too many at once. Split them into smaller parts.

## Notices after a redirect

done-withdrawn = Access revoked.
done-password = Password changed. You are signed out everywhere else.
done-session-ended = Signed out on that device.
done-signed-out = You are signed out.
done-session-expired = Your session has expired. Please sign in again.
done-session-expired-form = Your session has expired, and the form could not be kept. Please sign in and fill it in again.
done-sign-in-first = Please sign in to view this page.
done-password-first = You signed in more than an hour ago. For your security, enter your password again to continue.
done-password-first-form = You signed in more than an hour ago. For your security, enter your password again. Then fill in the form again: it could not be kept.
done-confirmed = Password confirmed. Nothing has changed yet, so please try again.
done-key-revoked = Key revoked.
done-fields-approved = Request approved. The key can read the fields now.
done-fields-denied = Request denied. The fields stay hidden.
done-saved = Saved.
done-created = Created.
done-created-before = This form was already submitted, so nothing was created again. To create another one, open the form again.
done-deleted = Deleted.
done-shown-before = A secret is shown only once, and this one has already been shown. If you did not save it, create another one.
typed-form-is-back = You are signed in again. Your entries are restored, but not saved yet.
done-invited-before = These invitations were already created, and nothing was sent again. Their links were shown only once. For new links, review the addresses again.
done-approved = Request approved. The owner of the client can add the scope now.
done-scope-removed = Scope removed from the client.
done-secret-removed = Older secret removed.
done-role = Role changed.
done-password-set = Password set.
done-account-removed = Account deleted.

## Error messages for users

errors-rule =
    .not_found = This page does not exist, or has been deleted.
    .not_owner = This belongs to another user.
    .administrators_only = Only administrators can do this.
    .first_party_only = Only first-party clients can have this.
    .body_too_long = The form is too long.
    .method_not_allowed = This address does not support that action.
    .storage_unavailable = The service is temporarily unavailable. Please try again soon.
    .failed = Something went wrong on our side. Nothing was changed.
    .name_characters = Use visible letters from scripts that are normally written together, such as Korean and English.
    .text_characters = This text has characters that are invisible or change its direction. Remove them and try again.
    .name_reserved = This name is, contains or looks like the name of the service or the school. Choose another name.
    .scope_name_taken = The application already has a scope with this name.
    .scope_not_allowed = Keys of your role cannot have one of these scopes.
    .approval_required = One of the scopes needs approval first. Request it on the page of your client.
    .public_client = A public client has no secrets.
    .client_suspended = This app is suspended. An administrator of your school can transfer it to another user.
    .last_first_party = This is the last first-party client, or the last that can request service:manage. To delete it anyway, first remove service:manage from its scopes and turn off “First-party” in its settings.
    .owner_unknown = There is no such user.
    .too_many_api_keys = You have reached the limit of API keys. Revoke one that you no longer need.
    .too_many_key_values = This key has five valid values, which is the limit. Choose “End immediately”, or wait until an old value has ended.
    .too_many_applications = You have reached the limit of applications. Delete one that you no longer need, or ask an administrator.
    .too_many_defined_scopes = This application has reached the limit of scopes. Delete one that is no longer needed, or ask an administrator.
    .too_many_clients = You have reached the limit of clients. Delete one that you no longer need, or ask an administrator.
    .too_many_redirect_uris = There are too many redirect URIs, or they are too long together.
    .management_limited = You have made too many changes in a short time. Try again later.
    .email_taken = There is already an account with this address.
    .link_invalid = This link is invalid, has expired or was already used. Ask an administrator for a new one.
    .own_account = This is your own account. Another administrator can do this.
    .last_administrator = This is the last administrator. Make another user an administrator first.

errors-of-the-service = This belongs to the service and cannot be changed.
errors-form-token = This form has expired, or another account has signed in since it was opened. Please open the page again.
errors-form-broken = The form was not received completely. Go back and send it again.
errors-session-ended = Your session has expired. Please sign in again.
errors-authorization-ended = This sign-in has expired or is already complete. Go back to the app and start again.
errors-credentials = Incorrect email address or password.
errors-sign-in-limited = Too many failed attempts. Please wait a moment and try again.
errors-sign-in-limited-for = Too many failed attempts. Try again in { $minutes ->
    [one] { $minutes } minute.
   *[other] { $minutes } minutes.
}
errors-busy = Too many people are signing in right now. Please try again in a few seconds.
errors-changed-meanwhile = This has changed in the meantime, so your changes were not saved. Review it and try again.
errors-missing = This field is required.
errors-unreadable = This value is not valid.
errors-line = Enter one line of at most 255 characters.
errors-choose-one = Choose one of the options.
errors-choose-scope = Choose at least one.
errors-scope-name = Use only lowercase letters, digits, _ and -, at most 100 of them.
errors-scope-unknown = One of the scopes no longer exists.
errors-too-many-scopes = You can choose at most 200 scopes.
errors-manage-is-for-first-parties = Only first-party clients can have service:manage.
errors-public-with-credentials = A public client cannot get tokens without a user.
errors-client-unknown = There is no client with this ID.
errors-redirect-uris = One of the redirect URIs is not valid. The rules are below the field.
errors-email = Enter a valid email address.
errors-password-length = Enter a password of at most 1,024 bytes.
errors-policy-uri = Enter a full address that starts with https:// and has at most 2,000 characters.
errors-password-short = { $characters ->
    [one] A new password needs at least { $characters } character.
   *[other] A new password needs at least { $characters } characters.
}
errors-password-email = The password must not be your email address or the part before the @.
errors-password-name = The password must not be the name of the school or the service.
errors-password-usual = This password is too easy to guess. Use three or four unrelated words.
errors-password-not-allowed = This password is not allowed here. Choose another one.
errors-password-wrong = The current password is incorrect.
errors-password-differs = The new passwords do not match.
errors-number = Enter a whole number.
errors-number-to = Enter a whole number from 1 to { $most }.
errors-owner-at-most = At most { $most }; administrators can allow more.
errors-owner-at-least = At least { $least } for this many requests; administrators can allow more.
errors-key-scopes = Scopes of a key can only be removed. For more, create a new key.
errors-overlap = The old value can keep working for at most 30 days.
errors-date = Enter a date.
errors-days = Enter two dates, the first no later than the last.
errors-date-range = The first day cannot be after the last, or more than 366 days before it.
errors-date-alone = Enter one date, or a first and a last day.
errors-hidden-field = This field is hidden from the key, so you cannot filter or sort by it.
errors-rate-limited = This key has reached its rate limit. Please wait a moment.

## Calendar feeds of API keys

calendars-title = Calendar feeds
calendars-lead = Subscribe to the school calendar, meals and timetables in a calendar app with a secret address. It is valid until the end of the school year, as long as this key is: renew the key before it expires.
calendars-create = Create feed
calendars-ends-with = Address ends in
calendars-revoke-one = Revoke the feed that ends in { $hint }
calendars-created-title = Calendar feed created
calendars-shown-once = These addresses are shown only once. Anyone who has one can read the calendars, so keep them secret.
calendars-how-to = Open the address in your calendar app, or paste it where the app adds a calendar by URL.
calendars-subscribe = Open in a calendar app
calendars-schedules = School calendar
calendars-meals = Meals
calendars-timetables = Class timetables
calendars-class-timetable = Grade { $grade }, class { $class }
calendars-done-revoked = Calendar feed revoked. Apps that subscribe to it get no more events.
calendars-done-key-expired = This key has expired or is suspended, so its feeds are paused. Renew the key first.
calendars-done-limit = This key already has ten feeds, which is the limit. Revoke one that you no longer need.

## The review of clients: a client's page

review-label = Review
review-verified = Verified
review-unverified = Unverified
review-assumed = Not reviewed yet
review-verified-by = by { $administrator }
review-unverified-lead = No administrator has verified this client yet. Users see a warning, and after an error they return to the app only by a click.
review-verified-lead = If you change its name or privacy policy or add a redirect URI, an administrator has to verify it again.

## The review of clients: its pages

review-count = { $count ->
    [one] { $count } client to review
   *[other] { $count } clients to review
}
review-new-clients = Unverified clients
review-new-clients-lead = Users see a warning until you verify the client. Clients cannot be denied. If something looks wrong, contact the owner or delete the client.
review-older-clients-lead = Registered before clients were reviewed. They count as verified, so users see no warning.
review-verify = Verify
review-verify-title = Verify { $client }?
review-verify-effect = Users no longer see a warning, and return to the app after an error. Check its name, its owner and where it sends users:
review-owner = Owner: { $owner }
review-redirect-uri = Redirect URI: { $uri }
review-unverify = Remove verification
review-unverify-title = Remove the verification of { $client }?
review-unverify-effect = Users see a warning again, and after an error they return to the app only by a click. Access that they have allowed stays.
review-done-verified = Client verified.
review-done-verified-client = { $client } is verified.
review-done-unverified = Verification removed.
review-policy-uri = Privacy policy: { $uri }

## Unverified clients on the pages of an authorization

review-unverified-warning = No administrator has verified this app. Allow it only if you trust its owner.
review-not-sent-back = No administrator has verified this app, so you are not returned automatically. Continue to { $destination } only if you trust it.
review-go-to = Go to { $destination }

## Effects of removing an account or changing its password, and suspended clients

removal-revoke-keys = Revoke all API keys too
removal-revoke-keys-hint = Programs that use them stop working until they get a new key. Keep the keys only if nobody else can know them.
removal-suspends = { $count ->
    [one] Their client is suspended: users cannot sign in to it and it gets no tokens until you transfer it to another user.
   *[other] Their { $count } clients are suspended: users cannot sign in to them and they get no tokens until you transfer them to other users.
}
removal-suspended = Suspended
removal-suspended-since = Suspended since
removal-suspended-lead = The owner's account can no longer be used. Users cannot sign in to it and it gets no tokens until an administrator transfers it to another user.
removal-suspended-restored-lead = The database was restored from a backup, which may lack later changes. Users cannot sign in to it and it gets no tokens until an operator confirms it on the server, or an administrator transfers it to another user.
removal-reassigned = First-party clients keep working. Where this user knows the secret, create a new one and remove the older one.
removal-transfer-client = Transfer ownership
removal-transfer-to-service = Transfer to the service
removal-transfer-client-lead = The new owner manages the client. A suspended client becomes active again, but without its secrets: create a new one. First check where its redirect URIs lead.
removal-done-transferred = Ownership transferred.

## Roles and scopes

domain-role =
    .USER = User
    .ADMIN = Administrator

domain-role-user-hint = Manages their own keys, clients and applications.
domain-role-admin-hint = Views and manages everything, for all users.
domain-scope-student-read = Students
domain-scope-student-read-hint = Names, classes, contact details
domain-scope-club-read = Clubs
domain-scope-club-read-hint = Clubs with their leaders and members
domain-scope-project-read = Projects
domain-scope-project-read-hint = Projects with their members and repositories
domain-scope-neis-read = Meals, calendar, timetable
domain-scope-neis-read-hint = School information without personal data

domain-personal-field =
    .SEX = Sex
    .EMAIL = Email address
    .CLASS = Grade, class and number
    .MAJOR = Major
    .SPECIALTY = Specialty
    .DORMITORY = Dormitory room
    .GITHUB = GitHub

domain-service-scope-self-read = Read your basic information and student details
domain-service-scope-manage = Manage your applications, clients and API keys

domain-severity =
    .low = Tip
    .medium = Important
    .high = Urgent

## Advice about a client, with remedies

domain-advice =
    .plain_pkce = The PKCE method “plain” is allowed
    .public_management = A public client can manage
    .secret_not_demanded = Tokens can be issued without the secret
    .old_secret = A secret is older than a year
    .unfinished_rotation = Two secrets have been valid for more than 30 days
    .no_secret = There is no secret
    .secret_on_users_machine = The secret may be on devices of users
    .private_use_scheme = A redirect URI has a scheme that any app can claim
    .unreachable = There is no redirect URI
    .localhost_by_name = A redirect URI uses the name localhost
    .iss_omitted = Redirects omit iss
    .pkce_not_demanded = PKCE is not required
    .many_redirect_uris = There are many redirect URIs
    .many_public_scopes = A public client can request many scopes

domain-advice-remedy =
    .plain_pkce = Use S256 and turn off “plain”, which shows the verifier to anyone who sees the request.
    .public_management = Remove service:manage from this client or give it a secret. Anyone can run a copy of a public client.
    .secret_not_demanded = Choose the authentication “Client secret”, so that a stolen code is useless without the secret.
    .old_secret = Create a new secret, deploy it, and remove the older one.
    .unfinished_rotation = Remove the older secret. There have been 30 days to switch to the newer one.
    .no_secret = Create a secret, or make the client public with PKCE. Without either, it cannot authenticate.
    .secret_on_users_machine = Register the program on devices of users as a public client of its own. A secret that is shipped to users is not secret.
    .private_use_scheme = Use an https redirect URI that belongs to the app. Another app can register the same scheme and take the code.
    .unreachable = Register a redirect URI, or ask an administrator to allow tokens without a user.
    .localhost_by_name = Register 127.0.0.1 or [::1] instead of localhost, a name that can be made to point to another machine.
    .iss_omitted = Configure the issuer in the client and send iss again. A client of several servers needs iss to detect responses from the wrong one.
    .pkce_not_demanded = Send an S256 challenge with every request, and require PKCE. It also protects against codes that an attacker injects.
    .many_redirect_uris = Remove those that are no longer used. Each one is a place where a code can leak.
    .many_public_scopes = Allow only the scopes that it really requests. Anyone can make requests in the name of a public client.

## Events of the audit log, and managed objects

domain-event =
    .signed_in = Signed in
    .sign_in_refused = Sign-in failed
    .sign_in_limited = Sign-in rate limited
    .signed_out = Signed out
    .consent_asked = Consent requested
    .consent_given = Consent granted
    .consent_remembered = Existing consent used
    .consent_denied = Consent denied
    .code_issued = Code issued
    .tokens_issued = Tokens issued
    .refreshed = Refreshed
    .refresh_repeated = Token refresh retried
    .client_token_issued = Client token issued
    .reuse_detected = Reuse detected
    .revoked = Revoked by the client
    .revoked_with_user = Ended with the account
    .grant_replaced = Access replaced by a newer sign-in
    .grant_withdrawn = App disconnected
    .consent_withdrawn = Consent revoked
    .signed_out_everywhere = Signed out everywhere
    .signing_key_installed = Signing key created
    .signing_key_revoked = Signing key revoked
    .signing_keys_removed = Signing keys deleted
    .backup_restored = Restored from a backup
    .imported = Imported from a file
    .synced = Synced with NEIS
    .year_turned = New school year started
    .year_turn_undone = New school year undone
    .person_erased = Data of a person erased
    .leavers_removed = Former students deleted
    .edited = School records edited
    .data_viewed = School data viewed
    .managed = Account, key or app changed
    .refused = Refused

domain-change =
    .created = created
    .changed = changed
    .renewed = renewed
    .suspended = suspended
    .resumed = resumed
    .confirmed = confirmed
    .deleted = deleted
    .refused = denied
    .verified = verified
    .unverified = verification removed

domain-invitation =
    .new = new
    .invited = invited, without a password
    .has_password = has a password
    .suspended = suspended

domain-object =
    .application = Application
    .scope = Scope
    .client = Client
    .client_secret = Client secret
    .scope_approval = Approval of a scope
    .scope_request = Request for a scope
    .api_key = API key
    .calendar_feed = Calendar feed
    .account = Account
    .password = Password
    .sessions = Signed-in devices

## The sync with NEIS

sync-title = NEIS sync
sync-lead = Meals, the school calendar and timetables come from NEIS once a day. Unchanged records stay as they are.
sync-now = Sync now
sync-is-running = A sync is running. It takes a minute or two.
sync-look-again = Refresh
sync-kinds = Data freshness
sync-kind = Data
sync-as-of = Current as of
sync-age = Age
sync-unknown = Unknown
sync-minutes-ago = { $count ->
    [one] { $count } minute
   *[other] { $count } minutes
}
sync-hours-ago = { $count ->
    [one] { $count } hour
   *[other] { $count } hours
}
sync-days-ago = { $count ->
    [one] { $count } day
   *[other] { $count } days
}
sync-runs = Recent runs
sync-no-runs = There are no runs yet.
sync-result = Result
sync-inserted = New
sync-updated = Changed
sync-deleted = Deleted
sync-skipped = Skipped
sync-by = Started by
sync-by-itself = Schedule or command
sync-failing = Meals, the school calendar or timetables have not been updated since
sync-failing-look = See why
sync-done-started = Sync started.
sync-done-running = A sync is already running.
domain-sync-result =
    .running = Running
    .interrupted = Interrupted before it ended
    .synced = Up to date
    .empty = NEIS has nothing for these days
    .missing = NEIS has nothing for days that have records here: check the school’s codes
    .key_refused = NEIS refuses the school’s key: check the key
    .request_refused = NEIS refuses the request: check the codes of the school
    .quota_spent = NEIS answers no more requests today
    .unavailable = NEIS could not be reached; a scheduled sync tries again in an hour
    .incomplete = NEIS sent only some rows: check that a key is set
    .changed_meanwhile = The data on NEIS changed during the sync
    .too_many_calls = It needs more requests than allowed: tell the server’s administrator
    .too_many_deletions = It would delete too much, so nothing changed. If NEIS is right, run sync --max-deleted 100
    .two_academic_years = The days belong to two school years
    .rejected = The records do not fit the school’s settings
    .contended = Other changes to the data got in the way
    .store_failed = The database did not respond

## Labels of the school's lists, fields and enumeration values, by their names in the data API

school-list =
    .students = Students
    .clubs = Clubs
    .projects = Projects
    .meals = Meals
    .schedules = School calendar
    .timetables = Timetable
    .class_history = Classes by year
    .audit_events = Audit events

school-field =
    .id = ID
    .name = Name
    .email = Email address
    .grade = Grade
    .classNum = Class
    .number = Number
    .studentNumber = Student number
    .sex = Sex
    .major = Major
    .specialty = Specialty
    .role = Role
    .dormitoryRoom = Dormitory room
    .majorClub = Major club
    .autonomousClub = Autonomous club
    .githubId = GitHub
    .includeGraduates = Include graduates
    .includeWithdrawn = Include withdrawn students
    .onlyEnrolled = Enrolled only
    .type = Type
    .status = Status
    .foundedYear = Founded
    .abolishedYear = Abolished
    .leader = Leader
    .includeLeaderInParticipants = Include leader in members
    .participants = Members
    .description = Description
    .startYear = From
    .endYear = To
    .club = Club
    .clubId = Club ID
    .repositories = Repositories
    .techStacks = Tech stack
    .date = Date
    .fromDate = From
    .toDate = To
    .mealDate = Date
    .mealType = Meal
    .dishes = Dishes (allergens)
    .mealCalories = Calories
    .scheduleDate = Date
    .eventName = Event
    .eventContent = Description
    .dayCategory = Day type
    .targetGrades = Grades
    .timetableDate = Date
    .period = Period
    .subject = Subject
    .classroom = Classroom
    .dormitoryFloor = Dormitory floor
    .githubUrl = GitHub page
    .mealId = ID
    .mealMenu = Dishes
    .mealAllergyInfo = Allergens of the dishes
    .originInfo = Origin of ingredients
    .nutritionInfo = Nutrition
    .mealServeCount = Servings
    .scheduleId = ID
    .timetableId = ID
    .schoolCode = School code
    .schoolName = School
    .officeCode = Office code
    .officeName = Office of education
    .schoolCourseType = Course
    .dayNightType = Day or night school
    .academicYear = School year
    .semester = Semester
    .department = Department

school-word =
    .Sex-MAN = Male
    .Sex-WOMAN = Female
    .StudentRole-STUDENT_COUNCIL = Student council
    .StudentRole-DORMITORY_MANAGER = Dormitory manager
    .StudentRole-GENERAL_STUDENT = Student
    .StudentRole-GRADUATE = Graduate
    .StudentRole-WITHDRAWN = Withdrawn
    .Major-SW_DEVELOPMENT = Software development
    .Major-SMART_IOT = Smart IoT
    .Major-AI = AI
    .ClubType-MAJOR_CLUB = Major club
    .ClubType-AUTONOMOUS_CLUB = Autonomous club
    .ClubStatus-ACTIVE = Active
    .ClubStatus-ABOLISHED = Abolished
    .ProjectStatus-ACTIVE = Running
    .ProjectStatus-ENDED = Finished
    .MealType-BREAKFAST = Breakfast
    .MealType-LUNCH = Lunch
    .MealType-DINNER = Dinner

## Explanations of the rules by which requests are refused, for administrators, by the words in logs

domain-rule =
    .not_found = Not found.
    .method_not_allowed = The address does not support the method.
    .body_too_long = The body is longer than the endpoint accepts.
    .body_broken = The body ended early, or did not arrive in time.
    .body_type = The body has another content type, several, or another charset.
    .body_malformed = The body does not match its content type, or the fields of the endpoint.
    .parameters_malformed = A query or form is not percent-encoded UTF-8.
    .parameters_in_query = Parameters of the body are in the query.
    .parameter_repeated = A parameter is repeated.
    .parameter_is_list = A parameter is a list, and must not be.
    .parameter_missing = A required parameter is missing. The response says which.
    .form_token = The form belongs to another session, or to none.
    .form_field = The form has a field that is not part of it.
    .decision = The decision is not one that the consent page offers.
    .session_missing = The request has no session token, two, or a malformed one.
    .session_ended = The session is unknown: it has expired, is complete, or got another token at a sign-in.
    .session_not_signed_in = No user has signed in to the session.
    .session_client_gone = The client of the session no longer exists.
    .session_redirect_gone = The client has removed the redirect URI of the session.
    .session_scope_gone = A scope that the session requests was deleted, or the client can no longer request it.
    .consent_gone = The remembered consent of the user no longer covers the request.
    .credentials = The email address or the password is wrong.
    .link_invalid = The one-time link is malformed, has expired, or was already used.
    .sign_in_limited = Too many sign-ins have failed.
    .sign_in_busy = Too many passwords are waiting to be checked.
    .authorize_limited = Too many sessions were opened from this network.
    .client_limited = The client sent too many requests.
    .failed_clients_limited = Too many requests from this network failed client authentication.
    .client_unknown = There is no such client.
    .client_malformed = The client ID or the credentials of the client cannot be read.
    .client_twice = The client uses two authentication methods at once.
    .client_differs = The client ID in the header is not the one in the body.
    .secret_missing = The client must send its secret, and did not.
    .secret_wrong = Incorrect client secret.
    .secret_unexpected = The client is public and sent a secret.
    .client_unproven = The client did not authenticate with a secret or a verifier, or with less than at the code exchange.
    .redirect_unregistered = The client has not registered the redirect URI.
    .response_type = The response type is not code.
    .prompt = The prompt contradicts itself, or allows no page where one is needed.
    .state = The state is too long, or has a character that is not allowed.
    .scope_malformed = The scope parameter is not a list of scopes.
    .scope_not_allowed = The client cannot request the scope, or an API key of the role of the user cannot have it.
    .scope_not_granted = The scope goes beyond what was granted.
    .scope_none = There is no scope to grant, or none is left.
    .scope_too_many = More scopes are requested than one access token can carry.
    .challenge_missing = A client that must use PKCE sent no challenge.
    .challenge_malformed = The challenge is malformed for its method.
    .challenge_method = The challenge method is missing, unknown, not allowed, or has no challenge.
    .user_denied = The user denied the request.
    .user_gone = The user no longer has an account.
    .grant_type = The grant type is not supported.
    .grant_type_not_allowed = The client cannot get tokens without a user.
    .code_unknown = Authorization code not found.
    .code_expired = The authorization code has expired.
    .code_replayed = The authorization code was already used. Its grant is revoked.
    .code_of_other = The authorization code was issued to another client.
    .redirect_differs = The redirect URI is not the one that the code was sent to.
    .verifier_missing = The code has a challenge, and no verifier was sent.
    .verifier_wrong = The verifier is malformed, or does not match the challenge.
    .verifier_unexpected = A verifier was sent, and the code has no challenge.
    .refresh_unknown = The refresh token was not issued here, or its grant has been deleted.
    .refresh_of_other = The refresh token was issued to another client.
    .refresh_reused = The refresh token was already replaced. Its grant is revoked.
    .grant_expired = The grant has expired, because it was not used or has reached its full lifetime.
    .grant_revoked = The grant is already revoked.
    .token_irrevocable = A token that a client got without a user cannot be revoked.
    .bearer_missing = There is no access token.
    .bearer_place = The access token is in the query, or repeated.
    .bearer_invalid = The access token was not issued here, is malformed or has expired.
    .bearer_audience = The access token is for another service.
    .bearer_without_user = The access token has no user.
    .bearer_revoked = The grant of the access token has ended.
    .bearer_scope = The access token lacks the scope.
    .field_repeated = A field of the body is repeated.
    .field_missing = A field of the body is missing.
    .field_invalid = A field of the body is not valid.
    .name_characters = A name has invisible characters, or mixes scripts whose letters look alike.
    .text_characters = A text that users read has characters that are invisible or change its direction.
    .name_reserved = A name is, contains or looks like a reserved name of the service or the school.
    .field_unknown = The body has a field that the endpoint does not know.
    .parameter_unknown = The query has a parameter that the endpoint does not know. The response says which ones it knows.
    .parameter_invalid = A parameter is not valid.
    .first_party_only = The client of the access token can no longer manage.
    .not_owner = It belongs to another user, and the user is not an administrator.
    .administrators_only = Only administrators can see or change it.
    .of_the_service = It belongs to the service and cannot be changed.
    .scope_unknown = A scope for a client or an API key does not exist.
    .approval_required = A scope for a client needs the approval of the owner of its application.
    .scope_name_taken = The application already has a scope with this name.
    .public_client = A public client has no secrets.
    .client_suspended = The client is suspended, because the owner's account can no longer be used or the database was restored from a backup. An administrator can transfer it to another user.
    .last_first_party = The client is the last first-party client, or the last that can request service:manage.
    .owner_unknown = No user has the ID of the new owner.
    .too_many_api_keys = The user has reached the limit of API keys.
    .too_many_key_values = The API key already has five valid values.
    .too_many_applications = The user has reached the limit of applications.
    .too_many_defined_scopes = The application has reached the limit of scopes.
    .too_many_clients = The user has reached the limit of clients.
    .too_many_redirect_uris = The client would have too many redirect URIs, or too long ones.
    .management_limited = The user has made too many changes in a short time.
    .email_taken = There is already an account with this address.
    .own_account = Administrators cannot change their own role or delete themselves.
    .last_administrator = This is the last administrator.
    .changed_meanwhile = Another request changed it at the same time.
    .api_key_missing = There is no API key in the header X-API-KEY.
    .api_key_repeated = The header X-API-KEY was sent more than once.
    .api_key_invalid = There is no such API key, or it is revoked.
    .api_key_expired = The API key has expired.
    .calendar_feed_invalid = The calendar feed does not exist, has expired or is revoked, or its API key is no longer valid.
    .api_key_owner_gone = The owner of the API key is no longer a user.
    .bad_keys_limited = Too many requests from this network had an API key that is not valid.
    .rate_limited = The API key has reached its rate limit.
    .scope_missing = The API key lacks the scope that the address needs.
    .field_hidden = A parameter uses a field that is hidden from the API key.
    .query_malformed = The query is not percent-encoded UTF-8, or a value in it has no name.
    .updated_since_unknown = The time in updatedSince belongs to a state that is not known here.
    .not_acceptable = The address does not offer any of the requested formats.
    .precondition_failed = The header If-Match does not match the current state.
    .storage_unavailable = The storage is temporarily unavailable.
    .server_stopping = The server is stopping and takes no new requests from a load balancer.
    .failed = Internal error. The cause is in the same line of the log.

## The new school year

year-title = New school year
year-lead = Once a year the last grade graduates and the others move up to the next one. Nothing changes before you have seen the preview.
year-next = School year { $year }
year-turned = ended
year-not-turned = not ended yet
year-turned-hint = The following school year can be started from September on.
year-turn-hint = All students keep their class, number, major, room and clubs. New classes and new students come from files, with the command “year turn”.
year-reset-roles = Reset all student roles
year-reset-roles-hint = Members of the student council and dormitory managers become ordinary students.
year-last = Last new school year
year-no-turn = No new school year has been started yet.
year-year = School year
year-by = Done by
year-by-command = The command
year-graduated = Graduated
year-moved = Moved up
year-added = New
year-undone = Undone on
year-undo-until = Can be undone until
year-too-late = This can no longer be undone: a day has passed.
year-show-undo = Preview undo
year-turn-title = New school year after { $year }
year-undo-title = Undo the new school year after { $year }
year-facts = Summary
year-step-graduates = graduates
year-step-stays = moves up
year-step-repeats = repeats the grade
year-step-new = new
year-step-restored = as before
year-step-removed = deleted
year-leaderless = Clubs without a leader
year-leaderless-lead = Their leaders graduate.
year-conflicts = Conflicts
year-conflicts-lead = Correct these records, then preview again.
year-left-alone = Left unchanged
year-left-alone-lead = This has changed since the new school year started, so the undo does not touch it.
year-students = Students
year-before = Current number
year-after = New number
year-apply-turn = Start the new school year
year-apply-undo = Undo the new school year
year-outdated = The records have changed since the preview, so nothing was applied. These are the changes now.
year-obstacle-conflicts = The new school year cannot be started while there are conflicts.
year-obstacle-turned = This school year or a later one has ended already.
year-obstacle-large = Too many changes for one step.
year-obstacle-late = This can no longer be undone: a day has passed.
year-conflict-number = Student number { $number } also belongs to { $other }.
year-conflict-removed = Was deleted after the new school year started.
year-conflict-new-one = Came with the new school year, and has changed since.
year-conflict-enrollment = Has another class, number, club, room or role since the new school year started.
year-conflict-club = Does not come back to the club { $club }, which is gone.
year-conflict-leader = Does not lead the club { $club } again.
year-done-turned = The new school year has started. This can be undone for a day.
year-done-undone = The new school year is undone.
year-done-nothing-to-undo = There is no new school year that can be undone.
year-history = Class history
year-history-lead = The classes that students had until a school year ended, or until they left.
year-history-class = Class
year-history-class-form = such as 3-2
year-history-student = Student ID
year-history-clubs = Clubs
year-history-end = End
year-no-history = No history found.
year-end =
    .YEAR_END = end of the year
    .GRADUATED = graduated
    .WITHDRAWN = withdrew
    .REMOVED = deleted

## Timetable, meals and the school calendar

week-nav = Timetable & meals
week-timetable = Timetable
week-meals = Meals
week-class-title = Grade { $grade }, class { $class }
week-range = { $first } – { $last }, { $year }
week-range-over-years = { $first }, { $first-year } – { $last }, { $last-year }
week-range-in-month = { $month } { $first }–{ $last }, { $year }
week-date = { $month } { $day }
week-month-title = { $month } { $year }
week-today = Today
week-previous = Previous week
week-this = This week
week-next = Next week
week-previous-month = Previous month
week-this-month = This month
week-next-month = Next month
week-other-days = Other days
week-choose-class = Choose a class
week-choose-day = Day of the week
week-free-day = No lessons are listed for this day.
week-no-lessons-today = No lessons are listed for today.
week-next-school-day = Next school day: { $weekday }, { $date }
week-events = Events
week-no-class = You are not in a class.
week-subscribe = Subscribe in a calendar app
week-subscribe-with-key = Create an API key to subscribe in a calendar app
week-choose-key = Choose a key
week-grade = Grade
week-class = Class
week-department = Department
week-period = Period
week-no-lessons = This class has no lessons in this week.
week-no-meal = No meal.
week-no-events = There are no events in this month.
week-allergens-lead = Allergens are listed below each dish.
week-holiday = Public holiday
week-day-off = No classes
week-grades = Grade { $grades }
week-needs-key = You need an API key that can read timetables, meals and the school calendar.
week-create-key = Create a key
week-weekday =
    .d1 = Mon
    .d2 = Tue
    .d3 = Wed
    .d4 = Thu
    .d5 = Fri
    .d6 = Sat
    .d7 = Sun
week-month =
    .m1 = January
    .m2 = February
    .m3 = March
    .m4 = April
    .m5 = May
    .m6 = June
    .m7 = July
    .m8 = August
    .m9 = September
    .m10 = October
    .m11 = November
    .m12 = December
week-allergen =
    .a1 = eggs
    .a2 = milk
    .a3 = buckwheat
    .a4 = peanuts
    .a5 = soy
    .a6 = wheat
    .a7 = mackerel
    .a8 = crab
    .a9 = shrimp
    .a10 = pork
    .a11 = peaches
    .a12 = tomatoes
    .a13 = sulfites
    .a14 = walnuts
    .a15 = chicken
    .a16 = beef
    .a17 = squid
    .a18 = shellfish
    .a19 = pine nuts
