### Texts of the pages in English, the reference for the other languages. build/texts.rs lists the syntax.

## The language

language-name = English

## Layout of every page

skip-to-content = Skip to the content
navigation = Main menu
menu = Menu
nav-apps = Connected apps
nav-account = My account
nav-keys = API keys
nav-data = School data
nav-applications = Applications
nav-clients = Clients
nav-develop = Develop
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
create = Create
show = Show
copy = Copy
copied = Copied
withdraw = Withdraw
withdraw-from = Withdraw from { $client }
owner = Owner
nobody = Nobody
none = None
never = Never
state = State
created = Created
expires = Expires
until = until { $time }
since = Since
last-used = Last used
when = When
day = Day
details = Details
role = Role
email = E-mail address
password = Password
network-address = Network address
request-id = Request ID
clear-filters = Clear
more-filters = More filters
nothing-found = Nothing found.
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
form-has-faults = Nothing was saved yet. Please correct what is marked below.
error-prefix = Error:
form-field =
    .addresses = E-mail addresses
    .client_id = Client ID
    .description = Description
    .description_translations = Description in other languages
    .email = E-mail address
    .file = File
    .match_by = Students are found by
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
    .rate_limit = Requests
    .rate_window = Seconds
    .redirect_uris = Redirect URIs
    .repeated = New password, again
    .role = Role
    .scope_name = Name
    .scopes = Scopes

## Sign-in, consent and error pages of an authorization

sign-in = Sign in
continue-to = to continue to { $client }
use-account-of = With the e-mail address and password of your { $school } account.
use-school-account = With the e-mail address and password of your school account.
help-at = Need help? { $support }
minutes-to-sign-in = { $minutes ->
    [one] You have { $minutes } minute left to sign in.
   *[other] You have { $minutes } minutes left to sign in.
}
minutes-to-decide = { $minutes ->
    [one] You have { $minutes } minute left to decide.
   *[other] You have { $minutes } minutes left to decide.
}
time-is-up = The time is up. Go back to the app and start again.
allow-question = { $client } wants to access your school account
allow-question-of = { $client } wants to access your { $school } account
registered-by = An app by { $owner }
registered-by-school = An app of your school
asks-to = { $client } will be able to:
asks-anew = New since last time
allowed-before = { $count ->
    [one] { $count } permission that you allowed before
   *[other] { $count } permissions that you allowed before
}
new-mark = New
of-application = from { $application }
privacy-policy-of = Privacy policy of { $client }
other-account = Use another account
switch-account-label = Switch account
switch-account = Switch
continue-as = Continue as { $account }
not-you = Not your account?
keep-signed-in = Keep me signed in
keep-signed-in-hint = Only on a device of your own. Otherwise you are signed out when the browser closes.
allow = Allow
deny = Deny
then-back-to = After this you return to { $destination }.
withdraw-any-time = You can withdraw your permission at any time.
error-start-again = Please start again
error-nothing-here = Page not found
error-try-later = Please try again later
error-went-wrong = Something went wrong
error-cannot-go-on = This sign-in cannot go on
error-not-allowed = Access denied
wrongly-asked = The app that sent you here asked for something that it cannot have. Go back to it and try again. If that does not help, its makers will want to know this:
tell-this-id = If you ask somebody for help, tell them this:
to-the-start = Back to Home

## The start page

home-title = Home
hello = Hello, { $name }
nothing-needs-attention = Nothing needs your attention.
home-school = The school
unverified-clients = Unverified clients
waiting-requests = Waiting scope requests
attention-requests = { $count ->
    [one] { $count } request for your scopes waits
   *[other] { $count } requests for your scopes wait
}
attention-requests-hint = Look who asks, and decide.
failed-sign-ins = Failed sign-ins in 24 hours
last-sync = Last sync
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
attention-key-expires-hint = Renew it, and the old value works for one more day.
attention-key-expired = The API key “{ $key }” has expired.
attention-key-expired-hint = Renew it to go on reading, or revoke it.
attention-client-advice = The client “{ $client }” could be safer.
attention-client-advice-hint = Its page says what to change.
see-advice = See advice

## Connected apps

apps-lead = These apps can use your account. If you do not need one any more, withdraw its access.
apps-empty = No app has access to your account. When you allow one, it appears here.
allowed-at = Allowed
app-may-return = Not connected now, but it need not ask you again.
withdraw-app-title = Withdraw the access of { $client }?
withdraw-app-effect = The app can no longer read anything in your name. The next time you use it, it asks you again.
withdraw-app-tokens = Other services may still believe the app for up to an hour.

## My account

profile = Profile
student-record = Student record
account-since = Account since
account-elsewhere = Your account and its password are kept by your school's own sign-in.
change-password = Change password
password-lead = A new password signs you out everywhere and disconnects all your apps. You stay signed in here.
old-password = Current password
new-password = New password
new-password-hint = Use at least 10 characters: three or four words that do not belong together are hard to guess and easy to remember.
new-password-again = New password again
password-link = Set your password
password-link-lead = The link works once. Other sessions, apps and API keys of the account end.
password-link-first = The link works once. Then sign in with your e-mail address and this password.
sessions = Signed-in devices
sessions-lead = If you do not recognise one, end it and change your password.
browser = Browser
browser-unknown = Unknown browser
signed-in-at = Signed in
last-seen = Last seen
this-session = This one
end-session = Sign out
end-session-of = Sign out of { $browser }
sign-out-everywhere = Sign out everywhere
sign-out-everywhere-title = Sign out everywhere?
sign-out-everywhere-effect = You are signed out in every browser, here too, and all your connected apps lose access.

## API keys

key = Key
keys-lead = With a key your program can read the school data. A key works for 30 days; renew it in time and nothing stops.
keys-empty = You have no key yet. Create one, and the next page shows how to use it.
keys-empty-everyone = Nobody has a key.
new-key = New key
create-key = Create key
key-description = What is it for?
key-description-hint = Such as “Lunch bot”, so that you know later which one it is.
key-scopes = What may it read?
key-hidden = Hidden fields
key-hidden-hint = Fields of students that the program does not need. Answers leave them empty.
key-limit = A limit of its own
rate-limit = Requests per period
rate-limit-hint = Empty for the limit that all keys have.
rate-window = Period in seconds
rate-burst = Maximum at once
key-valid-30-days = The key works for 30 days. You can renew it as often as you like.
may-read = May read
does-without = Hidden fields
nothing-hidden = None: it sees every field
this-key = This key
key-ends-in = Ends in
limit = Limit
limit-of-all = As all keys
key-limit-of = { $limit } in { $window } seconds, { $burst } at once
old-values = Old values that still work
old-value-unnamed = an old value
key-works = Active
key-expires-soon = Expires soon
key-expired = Expired
key-warning-soon = { $days ->
    [one] This key expires in { $days } day. Renew it, and the old value goes on for as long as you choose.
   *[other] This key expires in { $days } days. Renew it, and the old value goes on for as long as you choose.
}
key-warning-expired = This key has expired. Renew it to get a new value.
edit-key = Edit { $key }
edit-key-lead = You can make a key narrower: fewer scopes, more hidden fields, a lower limit. For more, create a new key.
key-stays-hidden = Stay hidden:
key-limit-most = At most { $limit } requests in { $window } seconds, { $burst } at once. Empty leaves it as it is.
key-protected = Ask for personal fields
key-protected-hint = A new key hides these fields of other people. Choose the ones that your program needs, and an administrator decides.
key-request = Asks for hidden fields
key-request-waits = An administrator decides whether the key may show:
key-request-decide = The owner asks for these personal fields of every student:
key-request-approve = Show them
key-request-refuse = Refuse
renew = Renew
renew-key = Renew { $key }
renew-lead = You get a new value that works for 30 days. Scopes, limits and statistics stay.
overlap = How long should the old value go on working?
overlap-hint = Long enough to put the new value into your program. If others may know the old one, choose “End immediately”.
overlap-none = End immediately
overlap-hour = 1 hour
overlap-day = 1 day
overlap-week = 7 days
revoke = Revoke
revoke-key-title = Revoke the key { $key }?
revoke-key-effect = Programs that use it get an error from now on. A revoked key cannot be brought back.
revoke-key-used = { $requests ->
    [one] It was used for { $requests } request in the last 7 days.
   *[other] It was used for { $requests } requests in the last 7 days.
}
revoke-key-unused = It was not used in the last 7 days.
requests-30-days = Requests in 30 days
usage-none = No requests in the last 30 days.
api-reference = API reference
as-a-table = Show as a table
plot-label = Requests a day in the last 30 days: { $requests } in all, { $errors } of them errors. The table below has the same numbers.
plot-answered = Answered
plot-errors = Errors
plot-day = { $date }: { $requests } requests, { $errors } errors
plot-outlier = Most errors were on { $date }: { $errors } of { $requests } requests.
plot-date = { $month ->
    [1] { $day } Jan
    [2] { $day } Feb
    [3] { $day } Mar
    [4] { $day } Apr
    [5] { $day } May
    [6] { $day } Jun
    [7] { $day } Jul
    [8] { $day } Aug
    [9] { $day } Sep
    [10] { $day } Oct
    [11] { $day } Nov
   *[12] { $day } Dec
}

## Secrets that are shown once

shown-once = This is shown only now. Copy it and keep it where nobody else can read it.
key-created = Your new key
key-renewed = Your renewed key
key-value = Key
key-old-until = The old value works until { $time }.
key-old-ended = The old value does not work any more.
client-created = Your client is registered
secret-created = The new client secret
secret-value = Client secret
secret-advice = Put it on the server of your app, never into an app or a page that people download.
secret-older-goes-on = The secret until now goes on working, so you can bring out the new one without a break.
try-it = Try it
sample-language = Language of the example
sample-with-key = This contains your key. Keep it out of code that others can read.
sample-address = This contains your key. Put the address of the school data in the place of https://DATA_API.
sample-key = Put your key in the place of YOUR_KEY.
sample-places = Put your key in the place of YOUR_KEY, and the address of the school data in the place of https://DATA_API.
i-have-kept-it = Done, I’ve saved it

## Applications and scopes

application = Application
applications-lead = An application has scopes: permissions that clients ask people for, and that your own service checks in the token.
applications-empty = You have no application yet. Create one when your service needs permissions of its own.
applications-empty-everyone = There is no application yet.
new-application = New application
rename-application = Rename application
application-name = Name
application-name-hint = People see it beside each scope when they are asked to allow it.
name-translations = Name in other languages
name-translations-hint = People who read the pages in one of these languages see it instead. You may leave it empty.
other-languages = Other languages
application-id = Application ID
application-read-only = This application belongs to somebody else. You can see its scopes and list them in your clients.
scopes = Scopes
scopes-empty = No scopes yet. Add the first thing that others can ask for.
scope = Scope
new-scope = New scope
edit-scope = Edit scope
scope-name = Name
scope-name-hint = Lower-case letters, digits, _ and -, such as points_read. It cannot be changed later.
scope-description = Description
scope-description-hint = What people read when they are asked: “Read your reward points”.
description-translations = Description in other languages
description-translations-hint = People who read the pages in one of these languages see it instead. You may leave it empty.
full-scope = Full scope
approval = Approval
approval-required = Approval required
approval-not-required = Not required
approval-required-hint = Clients of other people can use the scope only after you have approved them. Those that list it already keep it.
approve = Approve
approved = Approved
listed = Uses it
who-uses-it = Who uses it
scope-unused = No client uses this scope.
clients-that-use-it = Clients
last-granted = Last granted
live-grants = Connections in use
withdraw-scope-title = Withdraw the scope from { $client }?
withdraw-scope-effect = The client loses the scope at once, in the connections in use too, and cannot ask for it until you approve it again.
withdraw-open-scope-effect = The client loses the scope at once, in the connections in use too. As the scope needs no approval, its owner can add it again.
delete-scope-title = Delete the scope { $scope }?
delete-scope-effect = It disappears at once from all clients and connections. This cannot be undone.
delete-application-title = Delete the application { $application }?
delete-application-effect = All of its scopes are deleted with it, and disappear from all clients and connections. This cannot be undone.
touches = This affects { $affected }.
touches-nobody = No client uses it, so nobody will notice.
touched-meanwhile = What this touches has changed since you saw it. Nothing has happened yet: look at it again.
count-connections = { $count ->
    [one] { $count } connection in use
   *[other] { $count } connections in use
}

## Requests for scopes

approvals-nav-waiting = Waiting
approvals-nothing-waits = Nothing is waiting for you.
approvals-inbox = Requests for your scopes
approvals-inbox-lead = Owners of other clients ask to use scopes of your applications. Once you approve, the client can ask people for the scope.
approvals-inbox-empty = Nobody is waiting for you.
approvals-inbox-count = { $count ->
    [one] { $count } request for your scopes is waiting.
   *[other] { $count } requests for your scopes are waiting.
}
approvals-scope-lead = Owners of other clients ask for this scope on the pages of their clients.
approvals-requests = Requests for scopes
approvals-reason = Reason
approvals-asked-at = Asked
approvals-refuse = Refuse
approvals-refusal-reason = Why? The owner of the client reads this.
approvals-approve-for = Approve { $client } for { $scope }
approvals-refuse-for = Refuse { $client } the scope { $scope }
approvals-verify-client = Verify { $client }
approvals-ask = Ask for a scope
approvals-ask-lead = Some scopes of other people's applications need the approval of their owner. Ask here; the state of your request is shown on this page.
approvals-new-request = New request
approvals-nothing-to-ask = There is no further scope that needs an approval.
approvals-which-scope = Which scope?
approvals-what-for = What do you need it for?
approvals-what-for-hint = One sentence for the owner of the application.
approvals-send = Send request
approvals-waiting = Waiting
approvals-refused = Refused
approvals-add-it = Add it to the client
approvals-remove = Remove
approvals-withdraw-request = Withdraw the request: { $scope }
approvals-administrators = administrators
approvals-count-waiting = { $count ->
    [one] { $count } request is waiting
   *[other] { $count } requests are waiting
}
approvals-count-decided = { $count } decided
approvals-already-waiting = You have already asked for this scope.
approvals-already-approved = The client is already approved for this scope.
approvals-limit = This client has as many waiting requests as it may. Withdraw one, or wait for a decision.
approvals-done-sent = The request is sent.
approvals-done-refused = Refused. The owner of the client sees your reason.
approvals-done-withdrawn = The request is removed.

## Clients

client = Client
clients-lead = A client is an app that signs people in with their school account.
clients-empty = You have no client yet. Register one to let people sign in to your app.
clients-empty-everyone = There is no client yet.
new-client = New client
edit-client = Edit client
register-client = Register client
client-name = Name
client-name-hint = People see it when they sign in.
client-id = Client ID
client-read-only = Only an administrator may change one of the service's own clients.
this-client = This client
first-party = The service's own
first-party-hint = It may manage in the name of whoever signs in. Only for tools that you run yourselves.
policy = Authentication
policy-question = What kind of app is it?
policy-secret = With its secret
policy-secret-hint = For an app with a server that keeps a secret. The safest choice.
policy-secret-or-pkce = With its secret or PKCE
policy-secret-or-pkce-hint = For an app with a server, of which a part runs without it.
policy-none = With PKCE only (public)
policy-none-hint = For a phone app, a program or a page in the browser, which cannot keep a secret.
policy-none-drops-secrets = For a phone app, a program or a page in the browser, which cannot keep a secret. The secrets of this client stop working at once.
redirect-uris = Redirect URIs
redirect-uris-hint = Where people return after signing in. One per line, exactly as the app sends it.
policy-uri = Privacy policy
policy-uri-hint = The address of the page, with https://. People find a link to it where they allow the app. You may leave it empty.
redirect-rules = Which addresses can be used
redirect-line = Line { $line }
redirect-all-good = All addresses can be used.
redirect-absolute = It must be a whole address, such as https://app.example/callback, without blanks.
redirect-scheme = It must begin with https://, with http:// on 127.0.0.1, [::1] or localhost only, or with a scheme of your own that has a dot, such as com.example.app:/
redirect-fragment = It must not have a # part.
redirect-user = It must not have a user name before an @.
redirect-host = It must have a host.
redirect-port = Its port must be at most 65535.
redirect-reserved = It must not have the parameters code, state, iss, error or error_description.
redirect-length = It must have at most 2000 characters.
allowed-scopes = Scopes
allowed-scopes-hint = What the app may ask people for. Choose only what it needs.
find-scope = Find a scope
scope-needs-approval = Needs approval
scope-first-party-only = Only for the service's own clients
more-settings = More settings
pkce-required = PKCE required
pkce-required-hint = Good for every app whose library can do it. Public clients must use PKCE anyway.
plain-pkce-allowed = PKCE method “plain” allowed
plain-pkce-allowed-hint = Only for old apps that cannot do S256.
iss-omitted = Redirects without “iss”
iss-omitted-hint = Only for apps that fail when they come back with iss. Better: tell the app the issuer.
client-credentials-allowed = May get tokens without a user
client-credentials-allowed-hint = For programs that work for themselves. Not for public clients.
advice = Advice
no-advice = All good
count-advice = { $count ->
    [one] { $count } piece of advice
   *[other] { $count } pieces of advice
}
secrets = Secrets
secrets-lead = A client has two secrets at most. A third one pushes out the oldest.
secret-of = Created
newest = Newest
secret-unnamed = An older secret
new-secret = New secret
new-secret-title = Make a new secret for { $client }?
new-secret-effect = It is shown once, on the next page. The newest secret until now goes on working beside it.
first-secret-effect = It is shown once, on the next page.
new-secret-pushes-out = The client has two secrets already: the oldest stops working at once.
remove-older-secret = Remove the older
remove-older-secret-title = Remove the older secret of { $client }?
remove-older-secret-effect = Servers that still use it cannot get tokens any more. The newest one stays.
delete-client-title = Delete the client { $client }?
delete-client-effect = Nobody can sign in to it any more, and all of its connections end. This cannot be undone.
use-it = Use it
authorize-link = Authorize link
authorize-link-lead = Send people here to sign in. Your app makes a new state and code challenge each time.
code-samples = The whole sign-in as a program
code-samples-lead = Run it in a terminal: it asks for the address that the browser comes back to, and exchanges the code in it for tokens.

## School data

data-needs-key = To look at the school data you need an API key.
key-lacks-scope = The key “{ $key }” may not read this. Choose another key, or create one that may.
look-with-key = With the key
look-as-administrator = As an administrator, every field
download-audit-csv = Download as CSV
download = Download
download-csv = CSV
download-xlsx = Excel
headings = Names and values
headings-of-api = As in the data API
byte-order-mark = Byte-order mark in CSV, for Excel
columns-shown = Columns { $count }
show-columns = Show
row-height = Row height
rows-normal = Normal
rows-dense = Dense
remove-filter = remove this filter
clear-all-filters = Clear all
no-match = No record matches these filters.
nothing-in-list = “{ $list }” has no records yet.
no-more-rows = The list has fewer pages.
nothing-on-days = Nothing is recorded for these days.
whole-week = Show the whole week
previous-day = Previous day
next-day = Next day
rows-of = { $from }–{ $to } of { $total }
first-page = First
last-page = Last
go-to-page = Page
of-pages = of { $pages }
go = Go
edit-record = Edit
no-records = Nothing matches. Change or clear the filters.
filters = Filters
filters-have-faults = Please correct the filters that are marked.
hidden-cell = Hidden
any = Any
yes = Yes
no = No
sort-by = Sort by
sort-direction = Direction
ascending = Ascending
descending = Descending
page-size = Per page
same-request = The same request in your program
same-request-lead = Put your key in the place of YOUR_KEY.

## Administration

new-person = New account
people-elsewhere = Accounts are kept by the school's own sign-in, not here.
people-search = Name, class such as 2-3, or e-mail address
people-name = Name
people-class = Class
name-or-email = Name or e-mail address
state-active = Active
state-invited = Invited
state-suspended = Suspended
state-left = Left the school
new-person-lead = The person sets the password: the next page has a link for it, which works once, for seven days.
new-person-create = Create and show the link
make-password = Make a password
password-made = New password
password-made-advice = Give it to its owner only, who can change it under “My account”.
sign-out-person-hint = The person is signed out in every browser, and all their apps lose access. API keys go on.
no-sessions = Not signed in anywhere.
all-events = All events
done-their-sessions-ended = The person is signed out.
last-sign-in = Last sign-in
you = You
person-id = ID
what-may-they-do = What may this person do?
not-your-own-role = You cannot change your own role. Another administrator can.
lost-password = Reset password
lost-password-lead = A random password is made and shown once. The person is signed out everywhere, and all their apps are disconnected.
set-password = Set password
invite-people = Invite people
invite-lead = People without an account get one, and a link to set a password. A link works once, for seven days.
invite-grade = Students of grade
invite-class = Class
invite-all = All
invite-no-students = None
invite-addresses = E-mail addresses
invite-addresses-hint = One per line, or pasted from a spreadsheet. If there are any, the students above are not invited.
invite-nobody = Choose students, or enter addresses.
invite-check = Check
invite-new = { $count ->
    [one] { $count } new account.
   *[other] { $count } new accounts.
}
invite-nothing-yet = Nothing is created yet.
invite-by-mail = The links are also mailed.
invite-refused-lines = Left out
invite-refused-line = Line { $line }: { $reason }
invite-line-no-address = no e-mail address
invite-line-several = several addresses: name their column “email” in the first line
invite-line-separator = one of the characters , ; " < > stands in the address
invite-line-repeated = the address of line { $line }, again
invite-line-too-many = beyond 5,000 addresses: invite them separately
invite-again = New links for people who have set no password yet, too
invite-create = Create and show the links
invite-csv = Create and download the links (CSV)
invited = Invitation links
invited-lead = The links are shown only this once. Give each one to its owner only: with it, a password is set.
invited-link = Link
invited-mail = Mail
invited-mailed = mailed
invited-not-mailed = not mailed: { $reason }
invited-out-of-time = not mailed yet: the mail server is slow, give the link to its owner
person-invited = Invited; no password set yet.
person-left = Suspended since { $since }, because the student has left. If the student is enrolled again before { $until }, everything works again. After that the account is removed.
person-restored = Suspended, because the database was restored from a backup. A new password, or a confirmation on the server, ends that.
person-link = One-time link
person-link-lead = With the link the person sets a password. It works once, for seven days, and the current password works until then.
person-link-make = Make a link
remove-account = Remove account
remove-account-title = Remove the account { $account }?
remove-account-effect = The person cannot sign in any more, everything they are signed in to ends, and their API keys stop working. This cannot be undone.
remove-account-stays = Their applications and scopes go on and belong to the service, which administrators manage.
events-of-person = Events of this person
explain-id = Explain a request ID
explain-id-hint = The ten characters that a page or the header x-request-id shows.
explain = Explain
explained = Request { $id }
id-unknown = Nothing is recorded under this ID. Perhaps a letter is wrong, or it is too long ago. The letters i, l, o and u never occur.
what-happened = What happened
from-day = From
to-day = To
nothing-kept = Nothing recorded
events-elsewhere = Events are not kept where they can be looked up: the service writes them to its log alone.
no-events = Nothing happened that matches.
fact-person = Person
fact-scopes = Scopes
fact-object = Object
fact-change = Change
fact-fields = Fields
fact-rule = Rule
fact-status = Status
fact-endpoint = Endpoint
fact-connection = Connection
fact-versions = Versions
fact-count = How many

## Events in plain words

audit-by = Who did it
audit-about = To whom or what (person or ID)
audit-of-or-about = Only events of or about
audit-newer = Newer
audit-older = Older
audit-kind = Kind
audit-somebody = Somebody
audit-service = The service
audit-console = this website
audit-event = { $event ->
    [signed_in] { $who } signed in to { $client }
    [sign_in_refused] Somebody entered a wrong address or password at { $client }
    [sign_in_limited] Too many sign-ins had failed at { $client }
    [signed_out] { $who } signed out of { $client }
    [consent_asked] { $who } was asked to allow { $client }
    [consent_given] { $who } allowed { $client }
    [consent_remembered] { $who } had allowed { $client } before
    [consent_denied] { $who } did not allow { $client }
    [code_issued] { $client } got a code for { $who }
    [tokens_issued] { $client } got tokens for { $who }
    [refreshed] { $client } renewed its tokens for { $who }
    [refresh_repeated] { $client } renewed its tokens for { $who } again
    [client_token_issued] { $client } got a token for itself
    [reuse_detected] { $client } used a code or token twice, and lost the access
    [revoked] { $client } gave up its access
    [revoked_with_user] The access in the name of { $who } ended with the account
    [grant_replaced] A newer sign-in of { $who } replaced an older one at { $client }
    [grant_withdrawn] { $who } disconnected an app
    [consent_withdrawn] { $who } withdrew the permission of { $client }
    [signed_out_everywhere] { $who } signed out everywhere
    [signing_key_installed] A signing key was made
    [signing_key_revoked] A signing key was revoked
    [signing_keys_removed] Old signing keys were removed
    [backup_restored] { $who } restored a backup
    [imported] { $who } imported a file: { $list }
    [synced] { $who } synced with NEIS: { $list }
    [year_turned] { $who } turned the school year
    [year_turn_undone] { $who } undid the turn of the school year
    [person_erased] { $who } erased the data of a person
    [leavers_removed] { $who } removed former students
    [refused] A request was refused
   *[other] { $event }
}
audit-edited = { $who } { $change ->
    [created] added
    [deleted] removed
   *[other] changed
} school records: { $list }
audit-refused-person = { $who } was refused something
audit-refused-client = { $client } was refused something
audit-managed = { $who } { $change ->
    [created] created
    [renewed] renewed
    [suspended] suspended
    [resumed] resumed
    [confirmed] confirmed
    [deleted] removed
    [refused] refused
   *[other] changed
} { $object }
audit-object = { $kind ->
    [application] the application { $name }
    [scope] the scope { $name }
    [client] the client { $name }
    [client_secret] a secret of the client { $name }
    [api_key] an API key
    [calendar_feed] a calendar feed
    [account] the account of { $name }
    [password] the password of { $name }
   *[other] { $kind } { $name }
}
audit-approved = { $who } approved { $client } for the scope { $scope }
audit-approval-withdrawn = { $who } withdrew the scope { $scope } from { $client }
audit-scope-asked = { $who } asked for { $client } to have the scope { $scope }
audit-scope-refused = { $who } refused { $client } the scope { $scope }
audit-scope-request-withdrawn = { $who } withdrew the request of { $client } for the scope { $scope }
audit-signed-out = { $who } signed { $name } out
audit-link-made = { $who } made a one-time link for { $name }

## Activity of a client or a key

activity-title = Refusals and daily counts
activity-last-days = The last 30 days
activity-refused = Refused
activity-no-refusals = No request was refused.
activity-why = Why
activity-look-up-lead = For your own requests, and those of your clients and API keys.
activity-unknown = Nothing of yours is recorded under this ID. Perhaps a letter is wrong, or it is too long ago. The letters i, l, o and u never occur.

## Messages with one-time links

mail-invitation-subject = { $school }: set the password of your account
mail-invitation =
    You have an account at { $school }: { $account }

    Set its password until { $time }. The link works once:
    { $link }

    Then sign in here:
    { $address }

    If you did not expect this message, delete it. Nothing happens unless you open the link.
mail-reset-subject = { $school }: set a new password
mail-reset =
    An administrator of { $school } has made a link for your account { $account }.

    Set a new password until { $time }. The link works once, and you are signed out everywhere:
    { $link }

    Then sign in here:
    { $address }

    If you did not ask for this message, delete it and tell the school. Your password stays as it is unless you open the link.

## The editor of the school's records

editor-nav = School records
editor-new-record = New: { $list }
editor-name = Name
editor-list = List
editor-selected = Selected
editor-select = Select { $name }
editor-change-selected = Change the selected ones
editor-change-all = { $count ->
    [one] Change the one that matches
   *[other] Change all { $count } that match
}
editor-too-many-selected = At most 5,000 records that match are changed at once, or 500 checked ones. Filter the list more narrowly, and change one part after the other.
editor-and-more = and { $count } more
editor-meanwhile = Changed meanwhile
editor-other-count = Records before: { $before }, now: { $now }.
editor-nothing-selected = Nothing is selected. Go back and tick the records to change.
editor-what-to-do = What should happen?
editor-to-class = New class
editor-to-major = New major
editor-grade = Grade
editor-grade-stays = Leave it empty to keep the grade.
editor-class = Class
editor-show-changes = Show what changes
editor-change-title = { $count ->
    [one] One record changes
   *[other] { $count } records change
}
editor-nothing-changes = Nothing would change.
editor-consequences = What changes with it
editor-consequences-lead = Other records change because of this.
editor-apply = Apply
editor-added = new
editor-changed = changed
editor-gone = removed
editor-changed-meanwhile = Somebody else has changed this record meanwhile, so nothing is saved. The marked fields show what they have now. Saving again writes what the form has.
editor-changed-to = Changed meanwhile to:
editor-plan-changed = The records have changed meanwhile, so nothing is done. This is what would change now.
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
editor-part-hint = When you import such a part again, tick “Keep what the file lacks”.
editor-import-title = Import: { $list }
editor-file = File
editor-file-hint = CSV or JSON of at most 4 MiB with all records of the list, as a download has them, or with Korean headings. Nothing changes before you have seen what would.
editor-choose-file = Choose a file.
editor-upload-expired = An hour has passed, and the file is not kept longer. Choose it again.
editor-partial = Keep what the file lacks
editor-partial-hint = Otherwise records that are not in the file are removed, apart from former students.
editor-allow-removals = Allow many removals
editor-allow-removals-hint = Otherwise a file that removes more than a tenth of the records is not applied.
editor-skip-refused = Leave out refused lines
editor-skip-refused-hint = Otherwise nothing is applied while a line is refused.
editor-match-by = Also match records by
editor-match-by-hint = The ID and a student's e-mail address come first.
editor-match-none = Nothing else
editor-found = Summary
editor-columns = Columns
editor-unchanged = unchanged
editor-refused = refused
editor-confirm-current = Confirm that the list is current
editor-accounts-lose-access = { $count ->
    [one] One account loses its access at once, because its student leaves the school, and is removed after a day.
   *[other] { $count } accounts lose their access at once, because their students leave the school, and are removed after a day.
}
editor-suggests-match = About as many records are new as removed. If they are the same ones, choose another column under “Rows find their record also by”: a new record has a new ID, and the account of its student ends.
editor-former-kept = { $count ->
    [one] One former student is not in the file, and stays.
   *[other] { $count } former students are not in the file, and stay.
}
editor-refused-lines = Refused lines
editor-place = Where
editor-column = Column
editor-reason = Reason
editor-line = line { $number }
editor-record = record { $number }
editor-obstacle-refused = Nothing is applied while lines are refused. Correct them in the file, or tick “Leave out refused lines”.
editor-obstacle-shrinks = The file would remove more than a tenth of the records. If that is right, tick “Allow many removals”; to keep them, tick “Keep what the file lacks”.
editor-done-imported = The file is imported.
editor-bounds = Enter a whole number from { $low } to { $high }.
editor-one-of = Choose one of these: { $words }.
editor-action =
    .class = Move to another class
    .major = Change the major
    .graduate = Graduate
    .withdraw = Leave the school
    .remove = Remove
editor-hint =
    .role = A graduate, or a student who left, has no grade, class, number, major, room or clubs.
    .leader = E-mail address, ID or name of a member
    .participants = One person a line: e-mail address, ID or name
    .repositories = One address a line
    .techStacks = One a line
    .majorClub = Only an enrolled student has a club.
editor-rule =
    .name = Enter one line of at most 255 characters.
    .email = Enter an e-mail address, such as name@school.example.
    .specialty = Enter one line of at most 255 characters.
    .dormitoryRoom = Enter the number of the room.
    .githubId = Enter 1 to 39 Latin letters, digits and hyphens.
    .foundedYear = Enter a year.
    .abolishedYear = Enter a year that is not before the first one.
    .startYear = Enter a year.
    .endYear = Enter a year that is not before the first one.
    .description = Enter at most 10,000 characters.
    .repositories = Enter at most 20 addresses with https.
    .techStacks = Enter at most 20 names.
editor-refusal =
    .file = The file cannot be read as a table, or it is too large.
    .column = A heading names no column, or two headings name the same one.
    .row = The row does not fit the headings.
    .missing = Please fill this in.
    .invalid = This value is not possible here.
    .out_of_bounds = The school has no such number or word. Choose another one.
    .unknown_record = No record has this ID. To add a new one, leave the ID empty.
    .ambiguous_record = Several records could be meant. Give the ID.
    .email_taken = Another student has this e-mail address.
    .enrolled_only = Only an enrolled student has a value here.
    .club = There is no such club, or several have the name.
    .club_type = The club is of the other kind.
    .club_has_members = The kind cannot change while the club has members.
    .student = Somebody here is no student, or several students have the name. Use the e-mail address.
    .not_enrolled = Somebody here is not enrolled.
    .other_club = Somebody here is also listed in another club.
    .leader_is_not_member = The leader has to be a member of the club.
    .contradiction = It contradicts the other columns. Correct one, or leave this cell empty.
    .too_many = That is too much at once. Do it in smaller parts.

## Notices after a redirect

done-withdrawn = The access is withdrawn.
done-password = Your password is changed. You are signed out everywhere else.
done-session-ended = The session is ended.
done-signed-out = You are signed out.
done-session-expired = You were signed out because you were away for a while. Please sign in again.
done-sign-in-first = Please sign in to see this page.
done-key-revoked = The key is revoked.
done-fields-shown = The key shows the fields now.
done-fields-refused = The request is refused. The fields stay hidden.
done-saved = Saved.
done-created = Created.
done-deleted = Deleted.
done-shown-before = A secret is shown only once, and this one has been shown. If you did not save it, create another one.
typed-form-is-back = You are signed in again, and what you typed is back. Nothing has been saved yet.
done-approved = The client is approved. Its owner can add the scope now.
done-scope-withdrawn = The scope is withdrawn from the client.
done-secret-removed = The older secret is removed.
done-role = The role is changed.
done-password-set = The password is set.
done-account-removed = The account is removed.

## Error messages for users

errors-rule =
    .not_found = This does not exist, or does not exist any more.
    .not_owner = This belongs to somebody else.
    .administrators_only = Only an administrator may do this.
    .first_party_only = Only the service's own clients may have this.
    .body_too_long = The form is too long.
    .method_not_allowed = This address does not do that.
    .storage_unavailable = The service cannot answer at the moment. Please try again soon.
    .failed = Something went wrong on our side. Nothing was changed.
    .name_characters = Use visible letters from scripts that are normally written together, such as Korean and English. Others could make it look like another name.
    .text_characters = There are invisible characters in this text, or some that change its direction. Please write it without them.
    .name_reserved = This is or contains a name of the service or the school, or looks like one. Please choose another.
    .scope_name_taken = The application has a scope of this name already.
    .scope_not_allowed = Keys of your role may not have one of these scopes.
    .approval_required = One of the scopes needs the approval of its owner first. Give them the ID of your client.
    .public_client = A public client has no secrets.
    .client_suspended = This app is suspended. An administrator of the school can give it to another person.
    .last_first_party = This is the last of the service's own clients, or the last that may ask for service:manage. To delete it on purpose, first take service:manage from its scopes and turn off “The service's own” in its settings.
    .owner_unknown = There is no such person.
    .too_many_api_keys = You have as many API keys as one may have. Revoke one that you do not need any more.
    .too_many_key_values = This key has five values that still work, and no more are possible. Choose “End immediately”, or wait until one of the old values has ended.
    .too_many_applications = You have as many applications as one user may have. Delete one that you do not need any more, or ask an administrator.
    .too_many_defined_scopes = This application has as many scopes as one may have. Delete one that is not needed any more, or ask an administrator.
    .too_many_clients = You have as many clients as one user may have. Delete one that you do not need any more, or ask an administrator.
    .too_many_redirect_uris = These are more redirect URIs than a client may have, or they are too long together.
    .management_limited = You have made many changes in a short time. Try again later.
    .email_taken = There is an account with this address already.
    .link_invalid = This link is damaged, has expired, or was used already. Ask an administrator for a new one.
    .own_account = This is your own account. Another administrator can do this.
    .last_administrator = This is the last administrator. Make somebody else one first.

errors-of-the-service = This belongs to the service itself and stays as it is.
errors-form-token = The form was too old or came from another page. Please try again.
errors-form-broken = The form did not arrive whole. Go back and send it again.
errors-session-ended = Your session has ended. Please sign in again.
errors-authorization-ended = This sign-in has ended or was answered already. Go back to the app and start again.
errors-credentials = The e-mail address or the password is wrong.
errors-sign-in-limited = Too many attempts have failed. Please wait a moment and try again.
errors-sign-in-limited-for = Too many attempts have failed. Try again in { $minutes ->
    [one] { $minutes } minute.
   *[other] { $minutes } minutes.
}
errors-busy = Too many people are signing in right now. Please try again in a few seconds.
errors-changed-meanwhile = Somebody else changed it at the same moment. Nothing of yours was saved: look at it again and repeat your change.
errors-missing = Please fill this in.
errors-unreadable = This cannot be used as it is.
errors-line = It must be one line of at most 255 characters.
errors-choose-one = Please choose one of the offered.
errors-choose-scope = Please choose at least one.
errors-scope-name = Use lower-case letters, digits, _ and - only, at most 100 of them.
errors-scope-unknown = One of the scopes does not exist any more.
errors-too-many-scopes = At most 200 scopes can be chosen.
errors-manage-is-for-first-parties = service:manage is for the service's own clients.
errors-public-with-credentials = A public client cannot get tokens without a user.
errors-client-unknown = There is no client with this ID.
errors-redirect-uris = One of the addresses cannot be used. The rules are below the field.
errors-policy-uri = Enter a full address that starts with https:// and has at most 2,000 characters.
errors-email = This is no e-mail address.
errors-password-length = A password has 1 to 1024 bytes.
errors-password-short = { $characters ->
    [one] A new password needs at least { $characters } character.
   *[other] A new password needs at least { $characters } characters.
}
errors-password-email = The password must not be the e-mail address or the part before the @.
errors-password-name = The password must not be the name of the school or the service.
errors-password-usual = This password is too easy to guess. Three or four words that do not belong together are better.
errors-password-not-allowed = This password is not allowed here. Please choose another one.
errors-password-wrong = This is not your current password.
errors-password-differs = The two new passwords differ.
errors-rate-limit = It must allow at least one request a year and at most one a microsecond.
errors-number = This must be a whole number.
errors-overlap = The old value can go on for 30 days at most.
errors-date = This must be a date.
errors-days = Write both days as dates, and the first no later than the last.
errors-date-range = The first day must not come after the last, nor more than 366 days before it.
errors-date-alone = Give one date, or a first and a last day.
errors-hidden-field = This field is hidden from the key, so it cannot filter or sort by it.
errors-rate-limited = The key has used up its requests. Please wait a moment.

## Calendar feeds of API keys

calendars-title = Calendar feeds
calendars-lead = A calendar program subscribes to the school calendar, meals and timetables under a secret address. It works until the end of the academic year, while this key works: renew the key in time.
calendars-create = Create a feed
calendars-ends-with = Address ends in
calendars-revoke-one = Revoke the feed that ends in { $hint }
calendars-created-title = The feed is created
calendars-shown-once = These addresses are shown only once. Everyone who has one reads the calendars, so keep them to yourself.
calendars-how-to = Open the address in your calendar program, or paste it where the program adds a calendar by URL.
calendars-subscribe = Open in a calendar program
calendars-schedules = School calendar
calendars-meals = Meals
calendars-timetables = Timetables of the classes
calendars-class-timetable = Grade { $grade }, class { $class }
calendars-done-revoked = The feed is revoked. Programs that subscribe to it get nothing more.
calendars-done-key-expired = This key has expired or is suspended, and so its feeds are paused. Renew the key first.
calendars-done-limit = This key has ten feeds, and no more are possible. Revoke one that you do not need any more.

## The review of clients: a client's page

review-label = Review
review-verified = Verified
review-unverified = Unverified
review-assumed = Not reviewed yet
review-verified-by = by { $administrator }
review-unverified-lead = No administrator has verified this client yet. Its users are told so, and an error does not send them back to it without a click.
review-verified-lead = If you change its name or privacy policy or add a redirect URI, an administrator has to verify it again.

## The review of clients: its pages

review-count = { $count ->
    [one] { $count } client to review
   *[other] { $count } clients to review
}
review-list = Clients to review
review-list-lead = No administrator has verified these. “Not reviewed yet” are those from before the review of clients: they count as verified.
review-verify = Verify
review-verify-title = Verify { $client }?
review-verify-effect = Its users are no longer told that it is unverified, and errors send them back to it. Look at its name, its owner and where it sends users:
review-owner = Owner: { $owner }
review-redirect-uri = Redirect URI: { $uri }
review-policy-uri = Privacy policy: { $uri }
review-take-back = Take back
review-take-back-title = Take back the verification of { $client }?
review-take-back-effect = Its users are told that it is unverified, and an error does not send them back to it without a click. What they have allowed goes on.
review-done-verified = The client is verified.
review-done-taken-back = The client is unverified now.

## Unverified clients on the pages of an authorization

review-unverified-warning = No administrator has verified this app. Allow it only if you trust its owner.
review-not-sent-back = No administrator has verified this app, so you decide whether you go back to it, at { $destination }.
review-go-to = Go to { $destination }

## Effects of removing an account or changing its password, and suspended clients

removal-revoke-keys = Revoke all API keys too
removal-revoke-keys-hint = Programs that use them stop working until they get a new key. Keep the keys only if nobody else can know them.
removal-suspends = { $count ->
    [one] Their client is suspended: nobody signs in to it and it gets no tokens until you give it to another person.
   *[other] Their { $count } clients are suspended: nobody signs in to them and they get no tokens until you give them to other people.
}
removal-suspended = Suspended
removal-suspended-since = Suspended since
removal-suspended-lead = Its owner has left. Nobody signs in to it and it gets no tokens until an administrator gives it to another person.
removal-suspended-restored-lead = The database was restored from a backup, which may lack later changes. Users cannot sign in to it and it gets no tokens until an operator confirms it on the server, or an administrator gives it to another person.
removal-reassigned = The service's own clients keep working. Where this person knows the secrets, make a new one and remove the older one.
removal-transfer-client = Give to another person
removal-transfer-to-service = Give to the service itself
removal-transfer-client-lead = The person manages the client from then on, and a suspended client is in use again, without its secrets: make a new one. Check first where its redirect URIs lead.
removal-done-client-given = The client has been given away.

## Roles and scopes

domain-role =
    .USER = Person
    .ADMIN = Administrator

domain-role-user-hint = Manages what is their own.
domain-role-admin-hint = Sees and manages everything, of everybody.
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
    .EMAIL = E-mail address
    .CLASS = Grade, class and number
    .MAJOR = Major
    .SPECIALTY = Specialty
    .DORMITORY = Dormitory room
    .GITHUB = GitHub

domain-service-scope-self-read = Read your basic information and student details
domain-service-scope-manage = Manage your applications, clients and API keys

domain-severity =
    .low = Good to know
    .medium = Important
    .high = Urgent

## Advice about a client, with remedies

domain-advice =
    .plain_pkce = It may use the PKCE method “plain”
    .public_management = A public client may manage
    .secret_not_demanded = Its secret is not demanded
    .old_secret = A secret is older than a year
    .unfinished_rotation = Two secrets work for more than 30 days
    .no_secret = It has no secret
    .secret_on_users_machine = Its secret is on people's own machines
    .private_use_scheme = It uses a scheme that any app can claim
    .unreachable = Nobody can come back to it
    .localhost_by_name = It uses localhost by name
    .iss_omitted = Redirects omit iss
    .pkce_not_demanded = PKCE is not required
    .many_redirect_uris = It has many redirect URIs
    .many_public_scopes = A public client may ask for many scopes

domain-advice-remedy =
    .plain_pkce = Let the client send S256 challenges and forbid the method “plain”, which shows the verifier to whoever sees the request.
    .public_management = Take service:manage from this client or give it a secret, for anyone can run a copy of a public client.
    .secret_not_demanded = Choose the policy “with its secret”, so that a stolen code is worth nothing without the secret.
    .old_secret = Make a new secret, bring it out, and remove the old one.
    .unfinished_rotation = Remove the older secret: the newer one has had 30 days to take its place.
    .no_secret = Make a secret, or let the client be public and use PKCE: as it is, it cannot prove who it is.
    .secret_on_users_machine = Register the program on people's machines as a public client of its own, because a secret that is shipped to them is none.
    .private_use_scheme = Use an https redirect that the app has claimed, since another app can register the same scheme and take the code.
    .unreachable = Register a redirect URI, or ask an administrator to allow tokens without a user.
    .localhost_by_name = Register 127.0.0.1 or [::1] instead of localhost, a name that can be made to mean another machine.
    .iss_omitted = Tell the client the issuer and switch iss on again. A client of several servers needs iss to detect responses from the wrong one.
    .pkce_not_demanded = Let the client send an S256 challenge with every request, and require PKCE of it. It also protects against codes that are slipped to the client.
    .many_redirect_uris = Remove those that are no longer used, for each is a place that a code can be stolen from.
    .many_public_scopes = Allow only the scopes that it really asks for, since anyone can ask in the name of a public client.

## Events of the audit log, and managed objects

domain-event =
    .signed_in = Signed in
    .sign_in_refused = Sign-in refused
    .sign_in_limited = Too many sign-ins
    .signed_out = Signed out
    .consent_asked = Asked to allow
    .consent_given = Allowed
    .consent_remembered = Allowed before
    .consent_denied = Denied
    .code_issued = Code issued
    .tokens_issued = Tokens issued
    .refreshed = Refreshed
    .refresh_repeated = Refresh repeated
    .client_token_issued = Client's own token
    .reuse_detected = Reuse detected
    .revoked = Revoked by the client
    .revoked_with_user = Ended with the account
    .grant_replaced = Access replaced by a newer sign-in
    .grant_withdrawn = Access withdrawn
    .consent_withdrawn = Remembered consent withdrawn
    .signed_out_everywhere = Signed out everywhere
    .signing_key_installed = Signing key made
    .signing_key_revoked = Signing key revoked
    .signing_keys_removed = Signing keys removed
    .backup_restored = Restored from a backup
    .imported = Imported from a file
    .synced = Synced with NEIS
    .year_turned = School year turned
    .year_turn_undone = Turn of the school year undone
    .person_erased = Data of a person erased
    .leavers_removed = Former students removed
    .edited = School records edited
    .data_viewed = School data viewed
    .managed = Managed
    .refused = Refused

domain-change =
    .created = created
    .changed = changed
    .renewed = renewed
    .suspended = suspended
    .resumed = resumed
    .confirmed = confirmed
    .deleted = deleted
    .refused = refused

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
sync-look-again = Look again
sync-kinds = How current the data is
sync-kind = Data
sync-as-of = Current as of
sync-age = Age
sync-unknown = Not known
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
sync-runs = Last runs
sync-no-runs = There has been no run yet.
sync-result = Result
sync-inserted = New
sync-updated = Changed
sync-deleted = Deleted
sync-skipped = Skipped
sync-by = Started by
sync-by-itself = Schedule or command
sync-failing = Meals, the school calendar or timetables have not been brought up to date since
sync-failing-look = See why
sync-done-started = The sync has started.
sync-done-running = A sync is running already.
domain-sync-result =
    .running = Running
    .interrupted = Interrupted before it ended
    .synced = Up to date
    .empty = NEIS has nothing for these days
    .missing = NEIS has nothing for days that have records here: check the school's codes
    .key_refused = NEIS refuses the school's key: check the key
    .request_refused = NEIS refuses the request: check the codes of the school
    .quota_spent = NEIS answers no more requests today
    .unavailable = NEIS could not be reached; a scheduled sync tries again in an hour
    .incomplete = NEIS sent only some rows: check that a key is set
    .changed_meanwhile = The data on NEIS changed meanwhile
    .too_many_calls = It needs more requests than allowed: tell the server's administrator
    .too_many_deletions = It would delete too much, so nothing changed. If NEIS is right, run sync --max-deleted 100
    .two_academic_years = The days belong to two school years
    .rejected = The records do not fit the school's settings
    .contended = Others kept changing the data
    .store_failed = The database did not respond

## Labels of the school's lists, fields and enumeration values, by their names in the data API

school-list =
    .students = Students
    .clubs = Clubs
    .projects = Projects
    .meals = Meals
    .schedules = School calendar
    .timetables = Timetable

school-field =
    .id = ID
    .name = Name
    .email = E-mail address
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
    .includeGraduates = With graduates
    .includeWithdrawn = With those who left
    .onlyEnrolled = Only enrolled
    .type = Kind
    .status = Status
    .foundedYear = Founded
    .abolishedYear = Abolished
    .leader = Leader
    .includeLeaderInParticipants = Leader among the members
    .participants = Members
    .description = Description
    .startYear = From
    .endYear = To
    .club = Club
    .clubId = ID of the club
    .repositories = Repositories
    .techStacks = Built with
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
    .dayCategory = Kind of day
    .targetGrades = Grades
    .timetableDate = Date
    .period = Period
    .subject = Subject
    .classroom = Room
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
    .Sex-MAN = Man
    .Sex-WOMAN = Woman
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
    .not_found = There is nothing at the address.
    .method_not_allowed = The address does not answer the method.
    .body_too_long = The body is longer than the endpoint reads.
    .body_broken = The body ended early, or did not come in time.
    .body_type = The body has another content type, several, or another charset.
    .body_malformed = The body is not what its content type says, or not of the fields that are asked for.
    .parameters_malformed = A query or form is not percent-encoded UTF-8.
    .parameters_in_query = What belongs into the body is in the query.
    .parameter_repeated = A parameter is there twice.
    .parameter_is_list = A parameter is a list that must not be one.
    .parameter_missing = A parameter that is required is missing; the answer says which.
    .form_token = The form belongs to another session, or to none.
    .form_field = The form has a field that it was not given.
    .decision = The decision is none of those that the consent page offers.
    .session_missing = The request has no session token, two, or one that cannot be one.
    .session_ended = The session is unknown: it expired, was answered, or moved to another token at a sign-in.
    .session_not_signed_in = Nobody has signed in to the session.
    .session_client_gone = The session was for a client that is gone.
    .session_redirect_gone = The client has given up the redirect URI that the session would end at.
    .session_scope_gone = A scope that the session asks for is gone, or the client may not ask for it any more.
    .consent_gone = What is remembered of the user's consent no longer covers the request.
    .credentials = The e-mail address or the password is wrong.
    .link_invalid = The one-time link is damaged, has expired, or was used.
    .sign_in_limited = Too many attempts to sign in have failed.
    .sign_in_busy = More passwords are waiting than can be checked.
    .authorize_limited = Too many sessions were opened from the address.
    .client_limited = The client made too many requests.
    .failed_clients_limited = Too many requests without a client that authenticated came from the network.
    .client_unknown = There is no such client.
    .client_malformed = The client's id or its credentials cannot be read.
    .client_twice = The client authenticates in two ways at once.
    .client_differs = The id in the header is not the one in the body.
    .secret_missing = The client must send its secret and did not.
    .secret_wrong = The client's secret is another one.
    .secret_unexpected = The client is public and sent a secret.
    .client_unproven = The client proved itself neither by a secret nor by a verifier, or by less than at the exchange.
    .redirect_unregistered = The client has not registered the redirect URI.
    .response_type = The response type is not code.
    .prompt = The prompt contradicts itself, or allows no page where one is needed.
    .state = The state is too long, or has a character that cannot be kept.
    .scope_malformed = The scope is not a list of scopes.
    .scope_not_allowed = The client may not ask for the scope, or an API key of the user's role may not have it.
    .scope_not_granted = The scope goes beyond what was granted.
    .scope_none = There is no scope that could be granted, or none is left.
    .scope_too_many = More scopes are asked for than one access token can carry.
    .challenge_missing = A client that must use PKCE sent no challenge.
    .challenge_malformed = The challenge cannot have been made by its method.
    .challenge_method = The challenge's method is missing, unknown, not allowed, or has no challenge.
    .user_denied = The user said no.
    .user_gone = The user has left.
    .grant_type = The grant type is not served.
    .grant_type_not_allowed = The client may not have tokens of its own.
    .code_unknown = There is no such code.
    .code_expired = The code came too late.
    .code_replayed = The code had been redeemed before. Its grant is revoked.
    .code_of_other = The code was issued to another client.
    .redirect_differs = The redirect URI is not the one that the code went to.
    .verifier_missing = The code has a challenge, and no verifier was sent.
    .verifier_wrong = The verifier is malformed, or not the one of the challenge.
    .verifier_unexpected = A verifier was sent, and the code has no challenge.
    .refresh_unknown = The refresh token was never issued here, or its grant is swept.
    .refresh_of_other = The refresh token was issued to another client.
    .refresh_reused = The refresh token was replaced too long ago. Its grant is revoked.
    .grant_expired = The grant has expired, idle or altogether.
    .grant_revoked = The grant was revoked before.
    .token_irrevocable = A token of a client itself cannot be revoked.
    .bearer_missing = There is no access token.
    .bearer_place = The access token is in the query, or there twice.
    .bearer_invalid = The access token was not issued here, is damaged or has expired.
    .bearer_audience = The access token is for another service.
    .bearer_without_user = The access token has no user.
    .bearer_revoked = The access token's grant does not live any more.
    .bearer_scope = The access token lacks the scope.
    .field_repeated = A field of the body is there twice.
    .field_missing = A field of the body is missing.
    .field_invalid = A field of the body is not as it has to be.
    .name_characters = A name has characters that cannot be seen, or mixes scripts whose letters look alike.
    .text_characters = A text that users read has invisible characters, or some that change its direction.
    .name_reserved = A name is reserved for the service or the school, has such a name in it, or looks like one.
    .field_unknown = The body has a field that the endpoint does not know.
    .parameter_unknown = The query has a parameter that the endpoint does not know.
    .parameter_invalid = A parameter is not as it has to be.
    .first_party_only = The client of the access token may not manage any more.
    .not_owner = It belongs to somebody else, and the user is no administrator.
    .administrators_only = Only an administrator may change it.
    .of_the_service = It is the service's own, and stays as it is.
    .scope_unknown = A client is to list a scope, or an API key to have one, that does not exist.
    .approval_required = A client is to list a scope that its application's owner has not approved.
    .scope_name_taken = The application has a scope of that name.
    .public_client = The client is public, and has no secrets.
    .client_suspended = The client is suspended, because its owner has left or the database was restored from a backup. An administrator can give it to another person.
    .last_first_party = The client is the last of the service's own clients, or the last that may ask for service:manage.
    .owner_unknown = No user has the ID that the client was to be given to.
    .too_many_api_keys = The user has as many API keys as one may have.
    .too_many_key_values = The API key already has five values that work.
    .too_many_applications = The user has as many applications as one may have.
    .too_many_defined_scopes = The application has as many scopes as one may have.
    .too_many_clients = The user has as many clients as one may have.
    .too_many_redirect_uris = The client would have too many redirect URIs, or too long ones.
    .management_limited = The user has made too many changes in a short time.
    .email_taken = Somebody has the address already.
    .own_account = Administrators neither change their own role nor remove themselves.
    .last_administrator = Nobody else is an administrator, and somebody has to be.
    .changed_meanwhile = Somebody else changed it at the same moment.
    .api_key_missing = There is no API key in the header X-API-KEY.
    .api_key_repeated = The header X-API-KEY was sent more than once.
    .api_key_invalid = There is no such API key, or it is revoked.
    .api_key_expired = The API key has expired.
    .calendar_feed_invalid = The calendar feed does not exist, has expired or was revoked, or its API key no longer works.
    .api_key_owner_gone = The owner of the API key is no longer a user.
    .bad_keys_limited = Too many requests with an API key that does not work came from the network.
    .rate_limited = The API key has made as many requests as it may.
    .scope_missing = The API key lacks the scope that the address asks for.
    .field_hidden = The API key does without the field that a parameter asks about.
    .query_malformed = The query is not percent-encoded UTF-8, or a value in it has no name.
    .updated_since_unknown = The time that changes are asked since is of a state that is not known here.
    .not_acceptable = The address answers in no format that was asked for.
    .precondition_failed = The header If-Match names no present state of the answer.
    .storage_unavailable = The storage cannot answer at the moment.
    .server_stopping = The server is about to stop, so it takes no new requests from a load balancer.
    .failed = Something broke here; the cause is in the same line of the log.

## The turn of the school year

year-title = School year
year-lead = Once a year the last grade graduates and the others go to the next one. Nothing changes before you have seen what would.
year-next = School year { $year }
year-turned = turned
year-not-turned = not turned yet
year-turned-hint = The next school year can be turned from September on.
year-turn-hint = Everybody keeps the class, the number, the major, the room and the clubs. New classes and new students come from files, with the command “year turn”.
year-reset-roles = Reset all student roles
year-reset-roles-hint = Members of the student council and dormitory managers become ordinary students.
year-last = The last turn
year-no-turn = No school year has been turned yet.
year-year = School year
year-by = By
year-by-command = The command
year-graduated = Graduated
year-moved = Moved up
year-added = New
year-undone = Undone on
year-undo-until = Can be undone until
year-too-late = The turn can no longer be undone: a day has passed.
year-show-undo = Show what an undo would change
year-turn-title = Turn of the school year { $year }
year-undo-title = Undo the turn of the school year { $year }
year-facts = Summary
year-step-graduates = graduates
year-step-stays = moves up
year-step-repeats = repeats the grade
year-step-new = new
year-step-restored = as before
year-step-removed = removed
year-leaderless = Clubs without a leader
year-leaderless-lead = Their leaders graduate.
year-conflicts = Conflicts
year-conflicts-lead = Correct these records, and look again.
year-left-alone = Left unchanged
year-left-alone-lead = This has changed since the turn, so the undo does not touch it.
year-students = Students
year-before = Current number
year-after = New number
year-apply-turn = Turn the school year
year-apply-undo = Undo the turn
year-outdated = The school has changed meanwhile, so nothing is done. This is what would change now.
year-obstacle-conflicts = The school year cannot be turned while something is in the way.
year-obstacle-turned = This school year or a later one was turned already.
year-obstacle-large = Too many changes for one step.
year-obstacle-late = The turn can no longer be undone: a day has passed.
year-conflict-number = Student number { $number } also belongs to { $other }.
year-conflict-removed = Was removed since the turn.
year-conflict-new-one = Came with the turn, and has changed since.
year-conflict-enrollment = Has another class, number, club, room or role since the turn.
year-conflict-club = Does not come back to the club { $club }, which is gone.
year-conflict-leader = Does not lead the club { $club } again.
year-done-turned = The school year is turned. It can be undone for a day.
year-done-undone = The turn is undone.
year-done-nothing-to-undo = There is no turn that can be undone.
year-history = Who was in which class
year-history-lead = The classes that students had until a school year ended, or until they left.
year-history-class = Class
year-history-class-form = grade-class, such as 3-2
year-history-student = Student ID
year-history-clubs = Clubs
year-history-end = End
year-no-history = The history has nothing that matches.
year-end =
    .YEAR_END = end of the year
    .GRADUATED = graduated
    .WITHDRAWN = withdrew
    .REMOVED = removed

## Timetable, meals and the school calendar

week-nav = Timetable and meals
week-timetable = Timetable
week-meals = Meals
week-class-title = Grade { $grade }, class { $class }
week-range = { $first } – { $last }, { $year }
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
week-choose-key = Choose a key
week-grade = Grade
week-class = Class
week-department = Department
week-period = Period
week-no-lessons = No lessons are listed for this class in this week.
week-no-meal = No meal is listed.
week-no-events = No events are listed in this month.
week-allergens-lead = Below each dish are the allergens that it contains.
week-holiday = Public holiday
week-day-off = No classes
week-grades = Grade { $grades }
week-needs-key = To see timetables, meals and the school calendar you need an API key that may read them.
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
