// What an agent types into the tool search of its client: for documentation of Django and nginx, for
// the code of a project, and for services behind an aggregator. Those at even places are for tuning
// descriptions, those at odd places only for the figure.
const lines = (text) => text.trim().split('\n')

const docs = lines(`
django documentation
nginx documentation
search the Django docs for select_related
how to configure proxy_pass in nginx
find the section of the documentation about migrations
look up a setting in the Django reference
documentation search
nginx docs rate limiting
what does the documentation say about caching
find documentation about websockets proxying
django queryset reference
read the docs of nginx about upstream
official documentation of django forms
look up documentation for an API
search manual for an option
docs for error 413 request entity too large
find excerpts in documentation about CSRF
django 5.2 release notes
which section of the docs explains signals
search documentation by keywords
nginx directive documentation
library documentation lookup
how do I write a custom management command, docs
get sections from docs about authentication
search docs
web framework documentation
find pages in the documentation about logging
documentation for server blocks
look up how transactions work in the django documentation
reference documentation of a function of django
documentation of gzip settings
where do the docs describe middleware
find docs on template tags
documentation sections with urls
`)

const code = lines(`
find where a function is defined
search for a class by name
read the source of a function
find a method in the code base
show the body of a method
locate the definition of a class
find functions by name
read a long function in pages
get the source code of a function
look up a symbol
search code for methods with a name
open a function from a source file
find class definition in project
read one method without the whole file
jump to function definition
code navigation find function
list classes and methods matching a name
read a function of thousands of lines
where is the function parseConfig
show implementation of class
get function source
find symbol in all files
read class implementation
search functions in repository
find the method that handles requests
view code of one function
look for functions about authentication
get chunk of a function
function lookup in code
retrieve method source by name
search source code for function
find classes
read next page of a long method
`)

const services = lines(`
create a github issue
send a slack message
search notion pages
list stripe invoices
query postgres
github pull request
post to a slack channel
update a jira ticket
find tools for github
what tools are available
create a calendar event
list jira issues
discover tools of other services
refund a payment in stripe
comment on a github issue
create notion page
search for a tool that does something
assign a jira ticket to someone
export data from postgres
find a tool by capability
get customer from stripe
tools for slack
delete a calendar event
merge pull request on github
call a tool of another server
find capability across services
list events in calendar
search slack messages
update a notion page
find tool to create an invoice
which tools can send messages
find the right tool for a task
create jira ticket
`)

const of = (texts, entries) => texts.map((query) => ({ query, entries }))

export const questions = [
  ...of(docs, ['search_docs', 'get_doc_section']),
  ...of(code, ['find_function', 'get_chunk']),
  ...of(services, ['search_tools', 'call']),
]
